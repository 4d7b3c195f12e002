// Draws once a frame, however much was heard meanwhile, and not while something more urgent is on its way.

// Returns later(): draw() runs before the next frame, or at once where nobody looks and no frame comes. While
// held() it does not run at all; whoever holds it calls later() when done.
export function drawing(draw, { held = () => false, page = document, clock = globalThis } = {}) {
  let due = false;

  function run() {
    due = false;
    if (!held()) draw();
  }

  return function later() {
    if (due) return;
    due = true;
    if (page.hidden) clock.setTimeout(run, 0);
    else clock.requestAnimationFrame(run);
  };
}

// Calls run() once what has been drawn by now is on the screen.
export function afterPaint(run, { page = document, clock = globalThis } = {}) {
  if (page.hidden) clock.setTimeout(run, 0);
  else clock.requestAnimationFrame(() => clock.setTimeout(run, 0));
}

// Returns changed(value): whether it is another than the last time. What is drawn stays otherwise.
export function changes() {
  let last = null;
  return function changed(value) {
    const before = last;
    last = JSON.stringify(value);
    return last !== before;
  };
}

const NOTICED_MS = 150;

// Whether something has gone on long enough to be shown: what is over at once would only flicker. What is the case
// from the beginning is shown from the beginning. again() is called when it is time to look anew; that call decides,
// for the clock that times it and the one that can be read need not agree to the millisecond.
export function lasting(again, { ms = NOTICED_MS, clock = globalThis } = {}) {
  let noticed = true;
  let timer = null;

  return function lasts(on) {
    if (!on) {
      clock.clearTimeout(timer);
      timer = null;
      noticed = false;
    } else if (!noticed && timer === null) {
      timer = clock.setTimeout(() => {
        noticed = true;
        again();
      }, ms);
    }
    return on && noticed;
  };
}
