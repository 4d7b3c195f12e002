// The tools as buttons. One that cannot be used stays in reach and says why when it is tried.

import { same, MOVES } from "../lib/actions.js";
import { changes } from "../lib/drawing.js";
import { bring, mark } from "../lib/dom.js";
import { gettext } from "../lib/words.js";

export function toolbar(box, { why, move, walkMenu, productMenu, moreMenu, choose }) {
  const menus = { walkMenu, productMenu, moreMenu };
  const changed = changes();
  let tools = new Map();
  let mine = false;

  function ready(button) {
    if (!mine) return { enabled: false, reason: gettext("It is not your turn yet.") };
    const names = (button.dataset.tool ?? "").split(" ").filter(Boolean);
    const known = names.map((name) => tools.get(name)).filter(Boolean);
    if (!names.length || known.some((tool) => tool.enabled)) return { enabled: true, reason: "" };
    return { enabled: false, reason: gettext(known[0]?.reason || "This cannot be done here.") };
  }

  function tell(button) {
    const { enabled, reason } = ready(button);
    why.textContent = enabled ? "" : reason;
  }

  function press(button) {
    const { enabled, reason } = ready(button);
    if (!enabled) {
      why.textContent = reason;
      return;
    }
    why.textContent = "";
    const { move: name, tool, opens } = button.dataset;
    if (name) move(name);
    else if (opens) menus[opens](button);
    else if (tool) choose({ tool, args: {} });
  }

  box.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) press(button);
  });
  box.addEventListener("pointerover", (event) => event.target.closest("button") && tell(event.target.closest("button")));
  box.addEventListener("focusin", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    tell(button);
    bring(box, button);
  });
  box.addEventListener("pointerleave", () => {
    why.textContent = "";
  });

  return {
    show({ tools: list, call, mine: now, waits }) {
      tools = new Map(list.map((tool) => [tool.tool, tool]));
      mine = now;
      // A reason holds for what was tried; a finger never leaves a button as a pointer does.
      if (changed([list, call, now])) why.textContent = "";
      if (!mine && !waits) return; // the buttons look as before until the wait is one that is noticed
      for (const button of box.querySelectorAll("button")) {
        const names = (button.dataset.tool ?? "").split(" ").filter(Boolean);
        // Before the tools are known as many are shown as any store has: nothing moves when they come.
        if (list.length && names.length) button.hidden = !names.some((name) => tools.has(name));
        const { enabled, reason } = ready(button);
        mark(button, "aria-disabled", enabled ? null : "true");
        mark(button, "title", enabled ? (button.dataset.title ?? "") : reason);
        const own = button.dataset.move ? MOVES[button.dataset.move] : null;
        const on = own ? same(own, call) : names.includes(call?.tool);
        button.classList.toggle("tool-on", Boolean(call) && on);
        mark(button, "aria-pressed", String(Boolean(call) && on));
      }
    },
    // A letter that stands for a button here; false when there is none.
    press(letter) {
      const button = [...box.querySelectorAll(`button[data-key="${CSS.escape(letter)}"]`)].find((found) => !found.hidden);
      if (!button) return false;
      press(button);
      return true;
    },
  };
}
