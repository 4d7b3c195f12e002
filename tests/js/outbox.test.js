import assert from "node:assert/strict";
import { test } from "node:test";
import { newId, outbox } from "../../static/js/lib/outbox.js";

function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

test("a turn on its way keeps its id however often it is sent", () => {
  const sent = [];
  const box = outbox({ key: "k", storage: storage(), send: (act) => sent.push(act) });
  box.post({ reply: "hi", tool: "idle" });
  box.again();
  box.post({ reply: "hi again", tool: "idle" });
  assert.equal(sent.length, 2);
  assert.equal(sent[0].client_id, sent[1].client_id);
  assert.equal(sent[1].reply, "hi");
});

test("a reload finds the turn that was on its way", () => {
  const store = storage();
  const first = outbox({ key: "k", storage: store, send: () => undefined }).post({ reply: "hi", tool: "idle" });
  const after = outbox({ key: "k", storage: store, send: () => undefined });
  assert.equal(after.pending.client_id, first.client_id);
  assert.equal(after.settle("another"), false);
  assert.equal(after.settle(first.client_id), true);
  assert.equal(outbox({ key: "k", storage: store, send: () => undefined }).pending, null);
});

test("what is kept but broken is taken for nothing", () => {
  const store = storage();
  store.setItem("k", "{");
  assert.equal(outbox({ key: "k", storage: store, send: () => undefined }).pending, null);
});

test("ids do not repeat and are long enough for the server", () => {
  const ids = new Set(Array.from({ length: 500 }, () => newId()));
  assert.equal(ids.size, 500);
  for (const id of ids) assert.ok(id.length >= 8 && id.length <= 64);
});
