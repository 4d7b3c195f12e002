// The chosen action, in sight until it is sent: what it is, how far or wide, and a way to take it back.

import { changes } from "../lib/drawing.js";
import { element, icon } from "../lib/dom.js";
import { amounts, METRES } from "../lib/actions.js";
import { capital, doing } from "../lib/describe.js";
import { gettext } from "../lib/words.js";

export function chip(box, { change, remove }) {
  const changed = changes();

  function amount(call, { name, values }) {
    const label = name === "angle" ? gettext("How wide") : gettext("How far");
    const select = element(
      "select",
      { className: "input chip-amount", "aria-label": label, on: { change: (event) => change({ ...call, args: { ...call.args, [name]: name === "angle" ? Number(event.target.value) : event.target.value } }) } },
      ...values.map((value) =>
        element("option", { value, selected: call.args[name] === value, text: name === "angle" ? `${value}°` : gettext("%(metres)s m", { metres: METRES[value] }) }),
      ),
    );
    return select;
  }

  return {
    show(call, name, mine) {
      if (!changed([call, name, !call && mine])) return;
      if (!call) {
        if (!mine) return box.replaceChildren();
        box.replaceChildren(element("span", { className: "chip chip-none" }, icon("mouse-pointer-click"), element("span", { text: gettext("none yet: you will stay here") })));
        return;
      }
      const kept = document.activeElement?.closest?.(".chip-amount") ? [...box.querySelectorAll(".chip-amount")].indexOf(document.activeElement) : -1;
      const close = element("button", { type: "button", className: "chip-close", "aria-label": gettext("Take the action back"), on: { click: remove } }, icon("x"));
      const words = element("span", { className: "chip-words", text: capital(doing(call, name)) });
      box.replaceChildren(element("span", { className: "chip" }, icon("footprints"), words, close), ...amounts(call).map((one) => amount(call, one)));
      if (kept >= 0) box.querySelectorAll(".chip-amount")[kept]?.focus();
    },
  };
}
