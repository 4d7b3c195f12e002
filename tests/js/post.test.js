import assert from "node:assert/strict";
import { test } from "node:test";
import { post } from "../../static/js/lib/post.js";

const JSON_KIND = new Map([["content-type", "application/json"]]);
const HELP = { type: "help", text: "?" };

function saying(answer) {
  return post("/act/", HELP, { ask: async () => answer });
}

test("what the server has and took was told, with what it says to it", async () => {
  const answer = { ok: true, headers: JSON_KIND, json: async () => ({ events: [{ type: "drafted" }] }) };
  assert.deepEqual(await saying(answer), { told: true, events: [{ type: "drafted" }] });
  assert.deepEqual(await saying({ ok: true, headers: JSON_KIND, json: async () => ({ events: [] }) }), { told: true, events: [] });
});

test("what was refused was not told, and why is handed on", async () => {
  const refused = { type: "refused", code: "sign_in", reason: "" };
  assert.deepEqual(await saying({ ok: true, headers: JSON_KIND, json: async () => ({ events: [refused] }) }), { told: false, events: [refused] });
  assert.equal((await saying({ ok: false, headers: JSON_KIND, json: async () => ({ reason: "too many" }) })).told, false);
  assert.equal((await saying({ ok: false, headers: new Map() })).told, false);
});

test("nothing was told over a line that breaks, says nothing, or answers half", async () => {
  const nothing = { told: false, events: [] };
  assert.deepEqual(await post("/act/", HELP, { ask: async () => { throw new TypeError("network"); } }), nothing);
  const half = { ok: true, headers: JSON_KIND, json: async () => JSON.parse('{"events": [') };
  assert.deepEqual(await saying(half), nothing);
  const silent = (url, { signal }) => new Promise((resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const waiting = setTimeout(() => undefined, 1000); // the clock that ends a silence keeps no process alive
  assert.deepEqual(await post("/act/", HELP, { ask: silent, ms: 20 }), nothing);
  clearTimeout(waiting);
});
