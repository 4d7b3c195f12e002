import assert from "node:assert/strict";
import test from "node:test";

import { draw, watch } from "../../analysis/static/js/progress.js";

function box(dataset) {
  const parts = { "[data-words]": { textContent: "" }, progress: { max: 1, value: 0 }, "[data-ready]": { hidden: true } };
  return { dataset, parts, querySelector: (name) => parts[name] };
}

test("progress is drawn as it is told", () => {
  const one = box({ reload: "" });
  assert.equal(draw(one, { words: "7 of 40", done: 7, total: 40, ready: false, fault: "" }, assert.fail), true);
  assert.equal(one.parts["[data-words]"].textContent, "7 of 40");
  assert.deepEqual(one.parts.progress, { max: 40, value: 7 });
});

test("a page that only waits opens the results, one that is read offers them", () => {
  let opened = 0;
  const ready = { words: "ready", done: 0, total: 0, ready: true, fault: "" };
  draw(box({ reload: "" }), ready, () => { opened += 1; });
  assert.equal(opened, 1);
  const read = box({});
  draw(read, ready, assert.fail);
  assert.equal(read.parts["[data-ready]"].hidden, false);
});

test("a lost line is asked again, a failure is not", async () => {
  const answers = [() => { throw new TypeError("offline"); }, () => ({ ok: true, json: async () => ({ words: "failed", done: 0, total: 0, ready: false, fault: "SceneError" }) })];
  const queue = [];
  watch(box({ progress: "/p" }), { ask: async () => answers.shift()(), later: (look) => queue.push(look), reload: assert.fail });
  while (queue.length) await queue.shift()();
  assert.equal(answers.length, 0);
});
