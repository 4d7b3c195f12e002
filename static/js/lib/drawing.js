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
