import assert from "node:assert/strict";
import { test } from "node:test";
import { area, centre, enlarged, inside, STEPS, under } from "../../static/js/lib/geometry.js";
import { MOVING, unpack } from "../../static/js/lib/pictures.js";
import { checkDevice } from "../../static/js/lib/device.js";

const box = (x, y, w, h) => [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
const shelf = { name: "shelf", outlines: [box(0, 0, 200, 200)] };
const tin = { name: "tin", outlines: [box(50, 50, 10, 10), box(80, 50, 10, 10)] };

test("a click finds the product before the shelf it stands on", () => {
  assert.deepEqual(under([shelf, tin], 55, 55).map((thing) => thing.name), ["tin", "shelf"]);
  assert.deepEqual(under([shelf, tin], 85, 55).map((thing) => thing.name), ["tin", "shelf"]);
  assert.deepEqual(under([shelf, tin], 70, 55).map((thing) => thing.name), ["shelf"]);
  assert.deepEqual(under([shelf, tin], 300, 300), []);
});

test("a finger beside a small thing still finds it, after what it hits exactly", () => {
  assert.deepEqual(under([shelf, tin], 64, 55, 8).map((thing) => thing.name), ["shelf", "tin"]);
});

test("hollow shapes are hollow", () => {
  const u = [[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]];
  assert.equal(inside(u, 15, 20), false);
  assert.equal(inside(u, 5, 20), true);
  assert.equal(area(box(3, 4, 10, 20)), 200);
});

test("a name is put at the largest part; a thing without outlines has none", () => {
  assert.deepEqual(centre({ outlines: [box(0, 0, 4, 4), box(100, 100, 20, 20)] }), [110, 110]);
  assert.equal(centre({ outlines: [] }), null);
});

test("a picture message gives its kind, its number and its bytes", async () => {
  const bytes = new Uint8Array([2, 0, 0, 1, 4, 255, 216, 255]);
  const { kind, number, jpeg } = unpack(bytes.buffer);
  assert.equal(kind, MOVING);
  assert.equal(number, 260);
  assert.deepEqual([...new Uint8Array(await jpeg.arrayBuffer())], [255, 216, 255]);
  assert.equal(unpack(new Uint8Array([1, 0]).buffer), null);
});

test("an old browser is told before it gets stuck, a small screen only warned", () => {
  const modern = { createImageBitmap: () => 0, HTMLDialogElement: class {}, CSS: { supports: () => true }, WebSocket: class {}, innerWidth: 1280 };
  assert.ok(checkDevice(modern).every((one) => one.kind === "good"));
  assert.ok(checkDevice({ ...modern, createImageBitmap: undefined }).some((one) => one.kind === "bad"));
  assert.ok(!checkDevice({ ...modern, innerWidth: 360 }).some((one) => one.kind === "bad"));
  assert.ok(!checkDevice({ ...modern, WebSocket: undefined }).some((one) => one.kind === "bad"));
});

test("an enlarged frame is as it was painted at least, and whole where the room is large enough for that", () => {
  assert.equal(enlarged(360, 680), 1209, "a phone upright: as high as the room");
  assert.equal(enlarged(360, 400), 960, "labels are never smaller than they were painted");
  assert.equal(enlarged(700, 300), 960);
  assert.equal(enlarged(1280, 740), 1280, "all of it in view");
  assert.equal(enlarged(800, 1200), 1440, "no larger than the picture bears");
  assert.deepEqual(STEPS.map((_, step) => enlarged(360, 400, step)), [960, 1440, 1920]);
});
