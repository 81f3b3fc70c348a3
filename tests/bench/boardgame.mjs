// boardgame.io as a peer: `node boardgame.mjs serve MODULES PORT FOLDER` and `node boardgame.mjs play MODULES PORT MATCHES`.
// Who plays reads a number from its input, makes that many moves at every match, side by side, each when the one before
// was taken, over socket.io as a page does, and prints how many were taken.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const [role, modules, port, more] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const GAME = "bench";
const SPACES = 64; // a state of 8 kB as JSON, nested like ours

const space = (number) => ({
  name: `space-${number}`,
  tokens: [1, 2, 3, 4].map((value) => ({ value, owner: number % 4, shown: false })),
});

const game = {
  name: GAME,
  disableUndo: true, // else it keeps a copy of the state for each move
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

const sit = async (io) => {
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"numPlayers": 1}' };
  const { matchID } = await (await fetch(`http://127.0.0.1:${port}/games/${GAME}/create`, asked)).json();
  const socket = io(`http://127.0.0.1:${port}/${GAME}`, { transports: ["websocket"] });
  socket.on("disconnect", () => process.exit(1)); // its server has died
  const state = await new Promise((done) => {
    socket.once("sync", (_match, synced) => done(synced.state));
    socket.emit("sync", matchID, "0", undefined, 1);
  });
  return { matchID, socket, stateID: state._stateID, moves: 0 };
};

const move = (seat) =>
  new Promise((done) => {
    seat.socket.once("update", (_match, state) => {
      seat.stateID = state._stateID;
      seat.moves = state.G.moves;
      done();
    });
    const payload = { type: "place", args: [seat.moves % SPACES, seat.moves % 9], playerID: "0" };
    seat.socket.emit("update", { type: "MAKE_MOVE", payload }, seat.stateID, seat.matchID, "0");
  });

const play = async () => {
  const { io } = require("socket.io-client");
  const seats = [];
  for (let number = 0; number < Number(more); number += 1) seats.push(await sit(io));
  const taken = () => seats.reduce((sum, seat) => sum + seat.moves, 0);
  console.log("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const before = taken();
    await Promise.all(
      seats.map(async (seat) => {
        for (let number = 0; number < Number(line); number += 1) await move(seat);
      }),
    );
    console.log(taken() - before);
  }
  process.exit(0);
};

await (role === "serve" ? serve() : play());
