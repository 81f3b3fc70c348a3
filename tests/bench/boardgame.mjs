// boardgame.io as a peer: `node boardgame.mjs serve MODULES PORT FOLDER` and `node boardgame.mjs play MODULES PORT MATCHES`.
// Who plays reads a number from its input, makes that many moves at every match, side by side, each when the one before
// was taken, over socket.io as a page does, and prints how many were taken.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [role, modules, port, more] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const GAME = "bench";
const PLAYERS = ["0", "1", "2", "3"];
const SEATS = PLAYERS.length;
const SPACES = 64; // a state of 8 kB as JSON, nested like ours

const space = (number) => ({
  name: `space-${number}`,
  tokens: [1, 2, 3, 4].map((value) => ({ value, owner: number % 4, shown: false })),
});

const game = {
  name: GAME,
  turn: { minMoves: 1, maxMoves: 1 }, // one after the other, as in its tutorial
  setup: () => ({ spaces: Array.from({ length: SPACES }, (_, number) => space(number)), moves: 0 }),
  moves: {
    place: ({ G }, number, value) => {
      G.spaces[number].tokens[0].value = value;
      G.moves += 1;
    },
  },
};

const serve = async () => {
  const { FlatFile, Origins, Server } = require("boardgame.io/server");
  const server = Server({ games: [game], db: new FlatFile({ dir: more }), origins: [Origins.LOCALHOST] });
  await server.run(Number(port));
};

const open = async () => {
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: `{"numPlayers": ${SEATS}}` };
  const answer = await fetch(`http://127.0.0.1:${port}/games/${GAME}/create`, asked);
  return (await answer.json()).matchID;
};

// One who sits at a match with his page open: `told` is what he was told last, `next` that he is told again.
const sit = async (io, matchID, playerID) => {
  const socket = io(`http://127.0.0.1:${port}/${GAME}`, { transports: ["websocket"], forceNew: true });
  socket.on("disconnect", () => process.exit(1)); // its server has died
  const seat = { matchID, playerID, socket, hear: () => {} };
  await new Promise((done) => {
    socket.once("sync", (_match, synced) => done((seat.told = synced.state)));
    socket.emit("sync", matchID, playerID, undefined, SEATS);
  });
  socket.on("update", (_match, state) => seat.hear((seat.told = state)));
  return seat;
};

const move = async (seats) => {
  const [{ told }] = seats;
  const seat = seats[Number(told.ctx.currentPlayer)];
  const heard = seats.map((one) => new Promise((done) => (one.hear = done)));
  const payload = { type: "place", args: [told.G.moves % SPACES, told.G.moves % 9], playerID: seat.playerID };
  seat.socket.emit("update", { type: "MAKE_MOVE", payload }, told._stateID, seat.matchID, seat.playerID);
  await Promise.all(heard);
};

const play = async () => {
  const { io } = require("socket.io-client");
  const matches = [];
  for (let number = 0; number < Number(more); number += 1) {
    const matchID = await open();
    matches.push(await Promise.all(PLAYERS.map((playerID) => sit(io, matchID, playerID))));
  }
  const taken = () => matches.reduce((sum, [seat]) => sum + seat.told.G.moves, 0);
  console.log("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const before = taken();
    await Promise.all(
      matches.map(async (seats) => {
        for (let number = 0; number < Number(line); number += 1) await move(seats);
      }),
    );
    console.log(taken() - before);
  }
  process.exit(0);
};

await (role === "serve" ? serve() : play());
