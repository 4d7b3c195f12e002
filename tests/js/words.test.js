import assert from "node:assert/strict";
import { test } from "node:test";
import { gettext } from "../../static/js/lib/words.js";

test("a name written from right to left keeps to itself in a sentence, and others are left as they are", () => {
  assert.equal(gettext("%(name)s is %(metres)s m away", { name: "ספל #12", metres: "2.1" }), "\u2068ספל #12\u2069 is 2.1 m away");
  assert.equal(gettext("%(name)s is %(metres)s m away", { name: "Mug #12", metres: "2.1" }), "Mug #12 is 2.1 m away");
});
