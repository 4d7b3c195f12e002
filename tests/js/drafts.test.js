import assert from "node:assert/strict";
import { test } from "node:test";
import { drafts } from "../../static/js/lib/drafts.js";
import { storage } from "../../static/js/lib/kept.js";

const CHOSEN = { frame: 3, text: "half a sen", tool: "turn", args: { angle: 45 } };

function desk({ open = true, store = storage("none"), most } = {}) {
  const sent = [];
  const line = { open };
  let due = () => undefined;
  let stamps = 0;
  const makeId = () => `${stamps++}`;
  const clock = { setTimeout: (work) => (due = work), clearTimeout: () => (due = () => undefined) };
  const send = (message) => line.open && Boolean(sent.push(message));
  return { sent, line, store, later: () => due(), draft: drafts({ key: "k", storage: store, send, most, clock, makeId }) };
}

test("what was typed a moment before a reload is there after it, though the server never had it", () => {
  const before = desk();
  before.draft.keep(CHOSEN);
  const after = desk({ store: before.store });
  assert.equal(before.sent.length, 0);
  assert.deepEqual(after.draft.latest(3, { text: "older" }), { ...CHOSEN, stamp: "0" });
  assert.deepEqual(after.draft.latest(null, {}), { ...CHOSEN, stamp: "0" }, "the first word after a reload may not know the view yet");
});

test("once the server says that it has it, what the server says holds", () => {
  const { draft, sent, later } = desk();
  draft.keep(CHOSEN);
  later();
  assert.deepEqual(sent, [{ type: "draft", stamp: "0", text: "half a sen", tool: "turn", args: { angle: 45 } }]);
  assert.equal(draft.latest(3, { text: "older" }).text, "half a sen", "it may never have got there");
  draft.given("0");
  assert.deepEqual(draft.latest(3, { text: "typed on the phone" }), { text: "typed on the phone" });
});

test("what was typed after it was told is not what the server has", () => {
  const { draft, later } = desk();
  draft.keep(CHOSEN);
  later();
  draft.keep({ ...CHOSEN, text: "half a sentence" });
  draft.given("0");
  assert.equal(draft.latest(3, { text: "half a sen" }).text, "half a sentence");
});

test("without an answer it is told again after a while, and not at every look before that", () => {
  const { draft, sent, later } = desk();
  draft.keep(CHOSEN);
  later();
  draft.hand();
  assert.equal(sent.length, 1);
  later();
  assert.equal(sent.length, 2);
  draft.given("0");
  later();
  assert.equal(sent.length, 2);
});

test("while the line is down it stays on the device, and goes when the line is back", () => {
  const { draft, sent, line, later } = desk({ open: false });
  draft.keep(CHOSEN);
  later();
  assert.equal(draft.latest(3, {}).text, "half a sen");
  line.open = true;
  draft.hand();
  assert.equal(sent.length, 1);
});

test("what is longer than the server takes stays on the device until it is shorter", () => {
  const { draft, sent, later } = desk({ most: 12 });
  draft.keep({ ...CHOSEN, text: "🍎".repeat(13) });
  later();
  assert.equal(sent.length, 0);
  assert.equal(draft.latest(3, {}).text, "🍎".repeat(13));
  draft.keep({ ...CHOSEN, text: "🍎".repeat(12) });
  later();
  assert.equal(sent.length, 1);
});

test("of a view that is gone nothing comes back, and nothing is told to the server", () => {
  const { draft, sent } = desk();
  draft.keep(CHOSEN);
  assert.deepEqual(draft.latest(4, { text: "newer" }), { text: "newer" });
  draft.hand();
  assert.equal(sent.length, 0);
});

test("words that went as a turn are no draft any more", () => {
  const { draft, sent, later } = desk();
  draft.keep(CHOSEN);
  draft.drop();
  later();
  draft.hand();
  assert.equal(sent.length, 0);
  assert.equal(draft.latest(3, null), null);
});

test("where a browser forbids storage the page works on without", (t) => {
  const forbidden = () => {
    throw new Error("The operation is insecure.");
  };
  Object.defineProperty(globalThis, "forbiddenStorage", { get: forbidden, configurable: true });
  globalThis.fullStorage = { getItem: () => null, setItem: forbidden, removeItem: forbidden };
  t.after(() => {
    delete globalThis.forbiddenStorage;
    delete globalThis.fullStorage;
  });
  for (const name of ["forbiddenStorage", "fullStorage"]) {
    const kept = storage(name);
    assert.equal(kept.getItem("k") ?? null, null);
    kept.setItem("k", "v");
    assert.equal(kept.getItem("k"), "v");
    kept.removeItem("k");
    assert.equal(kept.getItem("k") ?? null, null);
  }
});
