import assert from "node:assert/strict";
import { test } from "node:test";
import { readable } from "../../static/js/lib/given.js";

test("a reply of blanks, line ends, marks without a letter and zero-width characters says nothing", () => {
  for (const said of ["", " \n\t ", "\u200b", "\u00a0\u2060\ufeff", "\u200d\ufe0f", "\u0301 \u202e\u2028"]) assert.equal(readable(said), "");
});

test("what can be read is kept whole, but for the blanks around it", () => {
  for (const said of ["?", "e\u0301", "\u200bhi", "👩‍👩‍👧", "אדום"]) assert.equal(readable(` ${said}\n`), said);
});
