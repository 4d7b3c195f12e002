import assert from "node:assert/strict";
import { test } from "node:test";
import { conversation, evidence, hidden, place, seconds } from "../../static/js/lib/replaying.js";

const turns = [
  { index: 0, assistant: { utterance: "Hello", action: { type: "Greet" }, ranking: [] }, user: { reply: "", tool_call: { tool: "idle" }, outcome: { ok: true, message: "" } } },
  { index: 2, assistant: { utterance: "Here", action: null, ranking: null }, user: null },
];

test("a link to a turn that exists opens it, one beyond the end opens the last, others the first", () => {
  assert.equal(place(turns, 2), 1);
  assert.equal(place(turns, 9), 1);
  assert.equal(place(turns, 1), 0);
  assert.equal(place(turns, Number.NaN), 0);
  assert.equal(place([], 0), -1);
});

test("a turn the user never answered has the assistant's line only", () => {
  assert.deepEqual(conversation(turns).map((line) => [line.turn, line.who, line.act]), [
    [0, "assistant", "Greet"],
    [0, "user", "idle"],
    [2, "assistant", ""],
  ]);
});

test("no ranking and an empty ranking are told apart", () => {
  const ranking = (turn) => hidden(turn).find(([title]) => title === "Ranking")[1];
  assert.equal(ranking(turns[0]), "empty");
  assert.equal(ranking(turns[1]), "none given");
});

test("timings that are missing are left out, not shown as zero", () => {
  assert.equal(seconds({ assistant: 1.234, note: "x", world: null }), "assistant 1.23 s");
  assert.equal(seconds(undefined), "");
});

test("a judge's words name turns one can go to, and nothing else becomes a link", () => {
  assert.deepEqual(evidence('T3 "On T-shirts" and T12.'), [
    { text: "T3", turn: 3 },
    { text: ' "On T-shirts" and ' },
    { text: "T12", turn: 12 },
    { text: "." },
  ]);
  assert.deepEqual(evidence(undefined), []);
});
