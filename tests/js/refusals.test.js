import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal } from "../../static/js/lib/refusals.js";

test("who cannot look that far is told how far, and never that it is nothing more", () => {
  const looking = (direction, left) => refusal({ code: "not_allowed", rule: "pitch_limit", values: { direction, left } });
  assert.equal(looking("up", 30), "You cannot look up that far: only 30° more.");
  assert.equal(looking("up", 0), "You cannot look up any further.");
  assert.equal(looking("down", 0), "You cannot look down any further.");
});
