import assert from "node:assert/strict";
import { test } from "node:test";

import { afterPaint, changes, drawing, lasting } from "../../static/js/lib/drawing.js";

function frames() {
  const due = [];
  const timers = [];
  const clock = {
    requestAnimationFrame: (run) => due.push(run),
    setTimeout: (run) => timers.push(run),
    clearTimeout: (number) => number && (timers[number - 1] = () => undefined),
  };
  const next = (list) => list.splice(0).forEach((run) => run());
  return { clock, frame: () => next(due), timer: () => next(timers), timers };
}

test("however often it is asked for, a frame is drawn once", () => {
  const { clock, frame } = frames();
  let drawn = 0;
  const later = drawing(() => (drawn += 1), { page: { hidden: false }, clock });
  later();
  later();
  assert.equal(drawn, 0);
  frame();
  assert.equal(drawn, 1);
  later();
  frame();
  assert.equal(drawn, 2);
});

test("nothing is drawn while it is held, and it is drawn when asked for after that", () => {
  const { clock, frame } = frames();
  let drawn = 0;
  let held = true;
  const later = drawing(() => (drawn += 1), { held: () => held, page: { hidden: false }, clock });
  later();
  frame();
  assert.equal(drawn, 0);
  held = false;
  later();
  frame();
  assert.equal(drawn, 1);
});

test("a page in the background, which has no frames, is drawn all the same", () => {
  const { clock, timer } = frames();
  let drawn = 0;
  drawing(() => (drawn += 1), { page: { hidden: true }, clock })();
  timer();
  assert.equal(drawn, 1);
});

test("what waits for the paint runs after the frame, not in it", () => {
  const { clock, frame, timer } = frames();
  let seen = false;
  afterPaint(() => (seen = true), { page: { hidden: false }, clock });
  frame();
  assert.equal(seen, false);
  timer();
  assert.equal(seen, true);
});

test("a value is a change once, whatever object it is in", () => {
  const changed = changes();
  assert.equal(changed(null), true);
  assert.equal(changed(null), false);
  assert.equal(changed({ a: [1] }), true);
  assert.equal(changed({ a: [1] }), false);
  assert.equal(changed({ a: [2] }), true);
});

test("a wait shows only once it has lasted, from the beginning at once, and calls for a look in time", () => {
  const { clock, timer, timers } = frames();
  let again = 0;
  const lasts = lasting(() => (again += 1), { clock });
  assert.equal(lasts(true), true);
  assert.equal(lasts(false), false);
  assert.equal(lasts(true), false);
  assert.equal(lasts(true), false);
  assert.equal(timers.length, 1);
  timer();
  assert.equal(again, 1);
  assert.equal(lasts(true), true, "however coarse a clock the page can read");
  assert.equal(lasts(false), false);
  lasts(true);
  lasts(false);
  timer();
  assert.equal(again, 1);
  assert.equal(lasts(true), false);
});
