import assert from "node:assert/strict";
import test from "node:test";

import { tipLines } from "../../analysis/static/js/results.js";

test("a tip lists what a mark stands for and leaves out what is missing", () => {
  assert.deepEqual(tipLines({ assistant: "expert", mean: 4.2, gap: null }), ["assistant: expert", "mean: 4.2"]);
});

test("a tip of one value is that value", () => {
  assert.deepEqual(tipLines(0), ["0"]);
});
