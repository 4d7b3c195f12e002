import assert from "node:assert/strict";
import { test } from "node:test";
import { ARROWS, KEYS, MOVES, amounts, chosen, holds, offers } from "../../static/js/lib/actions.js";
import { doing, happened } from "../../static/js/lib/describe.js";

const tools = [
  { tool: "pick_up_item", enabled: true, reason: "" },
  { tool: "move_to_fixture", enabled: true, reason: "" },
  { tool: "add_to_cart", enabled: false, reason: "Pick up a product first." },
];
const cod = { marker: "4", kind: "product", name: "Cod", reachable: true, approaches: [], distance_m: 1 };
const cooler = { marker: "C", kind: "fixture", name: "Cooler 2", approaches: ["nearest", "front"], distance_m: 3 };

test("every key stands for a movement that exists", () => {
  for (const name of [...Object.values(KEYS), ...Object.values(ARROWS)]) assert.ok(name in MOVES, name);
  assert.equal(new Set(Object.values(KEYS)).size, Object.keys(MOVES).length);
});

test("the same movement again makes it longer, another one starts afresh", () => {
  const once = chosen("turn-left", null);
  assert.equal(once.args.angle, 45);
  assert.equal(chosen("turn-left", once).args.angle, 60);
  assert.equal(chosen("turn-right", once).args.angle, 45);
  let walk = chosen("forward", null);
  for (const distance of ["long", "short", "medium"]) {
    walk = chosen("forward", walk);
    assert.equal(walk.args.distance, distance);
  }
});

test("looking offers no more than the eyes can do", () => {
  const [{ values }] = amounts(MOVES["look-up"]);
  assert.equal(Math.max(...values), 60);
});

test("a product in reach can be picked up, one out of reach says so", () => {
  assert.deepEqual(offers(cod, tools).map((offer) => [offer.call.args.product, offer.enabled]), [["4", true]]);
  const [far] = offers({ ...cod, reachable: false }, tools);
  assert.equal(far.enabled, false);
  assert.equal(far.reason, "far");
});

test("full hands are given as the reason in the server's words", () => {
  const full = [{ tool: "pick_up_item", enabled: false, reason: "You already hold a product." }];
  assert.equal(offers(cod, full)[0].reason, "You already hold a product.");
});

test("a place offers every side that the view offers", () => {
  assert.deepEqual(offers(cooler, tools).map((offer) => offer.call.args), [{ target: "C", approach: "nearest" }, { target: "C", approach: "front" }]);
});

test("a choice kept from before falls when its thing is gone or its tool cannot be used", () => {
  const call = { tool: "pick_up_item", args: { product: "4" } };
  assert.equal(holds(call, [cod], tools), true);
  assert.equal(holds(call, [cooler], tools), false);
  assert.equal(holds({ tool: "add_to_cart", args: {} }, [cod], tools), false);
  assert.equal(holds(null, [cod], tools), false);
});

test("the button says what it will do", () => {
  assert.equal(doing({ tool: "move_to_fixture", args: { target: "C", approach: "front" } }, "Cooler 2"), "walk to Cooler 2 (front)");
  assert.equal(doing(MOVES.forward), "walk 2 m ahead");
  assert.equal(doing({ tool: "turn_and_move", args: { direction: "left", angle: 90, distance: "long" } }), "turn 90° left, then walk 4 m");
});

test("an outcome is one line, and a walk into a wall says so", () => {
  assert.equal(happened({ tool: "move_to_fixture", name: "the shelf", ok: true, displacement_m: 3.14 }), "You walked 3.1 m and stopped at the shelf.");
  assert.match(happened({ tool: "move_forward", ok: true, displacement_m: 0.01 }), /in the way/);
  assert.equal(happened({ tool: "move_forward", args: { distance: "medium" }, ok: true, displacement_m: 2 }), "You walked 2.0 m.");
  assert.equal(happened({ tool: "move_forward", args: { distance: "medium" }, ok: true, displacement_m: 1.2 }), "You walked 1.2 m and stopped: something is in the way.");
});

test("what failed is said in the reader's language, not in the record's words", () => {
  const message = "Could not get to Shelf 2: something is in the way.";
  assert.equal(happened({ tool: "move_to_fixture", name: "Shelf 2", ok: false, message }), "Something is in the way: you did not get to Shelf 2.");
  assert.equal(happened({ tool: "pick_up_item", name: "Apples", ok: false, message: "The product could not be picked up." }), "Apples could not be picked up.");
  assert.equal(happened({ tool: "turn", ok: false, message: "It did not work." }), "That did not work.");
});
