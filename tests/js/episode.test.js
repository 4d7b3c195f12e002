import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, EMPTY } from "../../static/js/lib/episode.js";
import { tried } from "../../static/js/lib/lesson.js";

const snapshot = { type: "snapshot", seq: 5, phase: "assistant", turn: 1, lines: [], things: [], tools: [], cart: [] };
const said = (seq, index, text) => ({ type: "line", seq, line: { index, turn: 1, speaker: "assistant", text } });

test("the same message twice shows once", () => {
  let { state } = apply(EMPTY, snapshot);
  state = apply(state, said(6, 2, "hello")).state;
  state = apply(state, said(6, 2, "hello")).state;
  assert.deepEqual(state.lines.map((line) => line.text), ["hello"]);
});

test("a missed message is noticed, and what came is kept", () => {
  const { state, gap } = apply(apply(EMPTY, snapshot).state, said(8, 2, "hello"));
  assert.equal(gap, true);
  assert.equal(state.lines.length, 1);
});

test("lines stand in their order however they arrive", () => {
  let { state } = apply(EMPTY, snapshot);
  state = apply(state, said(6, 4, "second")).state;
  state = apply(state, said(7, 2, "first")).state;
  assert.deepEqual(state.lines.map((line) => line.index), [2, 4]);
});

test("an outcome finds its line and becomes the line under the frame", () => {
  const line = { index: 3, turn: 1, speaker: "user", text: "ok", deed: { tool: "turn", args: {}, ok: null } };
  let { state } = apply(EMPTY, { ...snapshot, lines: [line] });
  assert.equal(state.outcome, null);
  state = apply(state, { type: "outcome", seq: 6, turn: 1, deed: { tool: "turn", args: {}, ok: true } }).state;
  assert.equal(state.lines[0].deed.ok, true);
  assert.equal(state.outcome.tool, "turn");
});

test("a snapshot after a reload brings the last outcome back", () => {
  const line = { index: 1, turn: 0, speaker: "user", text: "", deed: { tool: "move_forward", args: {}, ok: true, displacement_m: 2 } };
  assert.equal(apply(EMPTY, { ...snapshot, lines: [line] }).state.outcome.displacement_m, 2);
});

test("a refusal changes nothing", () => {
  const { state } = apply(EMPTY, snapshot);
  assert.equal(apply(state, { type: "refused", seq: 5, code: "busy", reason: "x" }).state, state);
});

test("another tab taking over rests this one until a snapshot comes", () => {
  let { state } = apply(EMPTY, snapshot);
  state = apply(state, { type: "superseded", seq: 0 }).state;
  assert.equal(state.superseded, true);
  assert.equal(apply(state, snapshot).state.superseded, false);
});

test("the practice ticks off what worked, and only that", () => {
  const line = (tool, ok, text = "") => ({ speaker: "user", text, deed: { tool, ok } });
  assert.deepEqual([...tried([line("turn", true), line("pick_up_item", false), line("move_to_fixture", true)])].sort(), ["look", "mark", "walk"]);
  assert.deepEqual([...tried([line("idle", true, "hello")])], ["talk"]);
});

test("what goes into the cart with the last turn leaves the hand, though no snapshot follows", () => {
  const apples = { name: "Apples", price: 2.5, details: {} };
  const held = apply(EMPTY, { ...snapshot, held: apples }).state;
  const deed = { tool: "add_to_cart", args: {}, name: "Apples", ok: true };
  const after = apply(held, { type: "outcome", seq: 6, turn: 1, deed }).state;
  assert.deepEqual([after.held, after.cart], [null, [apples]]);
  const refused = apply(held, { type: "outcome", seq: 6, turn: 1, deed: { ...deed, ok: false } }).state;
  assert.deepEqual([refused.held, refused.cart], [apples, []]);
});
