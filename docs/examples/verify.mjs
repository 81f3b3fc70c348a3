// Checks the record of a game without its rules: node verify.mjs game.json [COMMITMENT [LAST-HASH]]
// Node alone is needed. Ends with 0 (it fits), 1 (it does not) or 2 (unreadable). docs/record.md has the exact bytes.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const STRING = /"((?:[^"\\]|\\.)*)"(\s*:)?/g; // with a colon behind it, it is a name
const mark = (text) => text.replace(STRING, (all, name, colon) => (colon ? `"#${name}":` : all));
const unmark = (value) => JSON.stringify(value).replace(STRING, (all, name, colon) => (colon ? `"${name.slice(1)}":` : all));
const sorted = (value) => Array.isArray(value) ? value.map(sorted) : value && typeof value === "object"
  ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : value;
const ascii = (text) => text.replace(/[\u007f-\uffff]/g, (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0"));
const listed = (facts) => `[${facts.map((fact) => fact?.options ?? JSON.stringify(fact)).join(", ")}]`;
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();
const big = (number, bytes) => Buffer.from(BigInt(number).toString(16).padStart(2 * bytes, "0"), "hex");
const end = (status, why) => (console.log(why), process.exit(status));

let text, record, marked;
try {
  text = readFileSync(process.argv[2], "utf8");
  [record, marked] = [JSON.parse(text), JSON.parse(mark(text))]; // of marked names none is a number, which JavaScript would move
} catch (error) { end(2, `unreadable: ${error.message}`); }
if (record.format !== "caravanserai-record" || record.format_version !== 2) end(2, "not a record that I know");
if (record.moves.some((move) => !move.position)) end(2, "from before release 1.0");
const { format_version: version, server_seed, commitment, options, seats, moves } = record;
const check = (holds, what) => holds || end(1, `wrong: ${what}`);
check(sha256(Buffer.from(server_seed, "hex")) === commitment, "the seed");

const joined = [...seats].sort((one, other) => one.joined - other.joined);
check(joined.every((seat, number) => seat.joined === number), "who joined when");
const parts = [...joined.map((seat) => seat.entropy ?? ""), "seating", "0"].map((part) => Buffer.from(part));
const seed = hmac(Buffer.from(server_seed, "hex"), Buffer.concat(parts.flatMap((part) => [big(part.length, 4), part])));
for (let counter = 0, last = joined.length - 1; last > 0; last--) {
  const bound = BigInt(last + 1), limit = 2n ** 64n - (2n ** 64n % bound);
  let word;
  do word = hmac(seed, big(counter++, 8)).readBigUInt64BE(); while (word >= limit);
  [joined[last], joined[word % bound]] = [joined[word % bound], joined[last]];
}
check(joined.every((seat, number) => seat === seats[number]), "who sits where");

const chosen = Object.entries(options).sort().map((pair) => pair.map((part) => JSON.stringify(part)).join(": "));
const agreed = [record.ref, record.rules, record.rules_version, seats.length, { options: `{${chosen.join(", ")}}` }, commitment];
let head = sha256(ascii(listed([...agreed, version])));
moves.forEach((move, index) => {
  const action = move.action ? unmark(marked["#moves"][index]["#action"]) : "";
  const outcome = index === moves.length - 1 ? unmark(sorted(marked["#outcome"])) : "";
  const facts = [head, index + 1, move.kind, move.seat ?? null, move.decision ?? "", action, move.position, move.by, outcome];
  head = sha256(ascii(listed(facts)));
  check(move.number === index + 1 && head === move.chain, `move ${index + 1}`);
});
check((process.argv[3] ?? commitment) === commitment, "another commitment");
check((process.argv[4] ?? head) === head, "another last hash");
end(0, `${moves.length} moves fit the seed, the seats, every hash and the result; last hash: ${head}`);
