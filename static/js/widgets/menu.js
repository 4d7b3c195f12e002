// A menu that opens where one clicked: arrow keys, Escape, focus given back.

import { element, icon } from "../lib/dom.js";

// groups: [{ title, note, items: [{ label, note, icon or marker (an element), enabled, run }] }]
export function menu(box, { closed = () => undefined } = {}) {
  let before = null;

  function close({ refocus = true } = {}) {
    if (box.hidden) return;
    box.hidden = true;
    box.replaceChildren();
    if (refocus) before?.focus({ preventScroll: true });
    closed();
  }

  function entry({ label, note, icon: drawing, marker = null, enabled = true, run }) {
    const text = element("span", {}, element("span", { text: label }), note ? element("small", { text: note }) : null);
    return element(
      "button",
      {
        type: "button",
        role: "menuitem",
        tabindex: "-1",
        "aria-disabled": enabled ? null : "true",
        on: {
          click() {
            if (!enabled) return;
            close();
            run();
          },
        },
      },
      marker ?? (drawing ? icon(drawing) : null),
      text,
    );
  }

  box.addEventListener("keydown", (event) => {
    const items = [...box.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const goes = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 };
    if (event.key in goes) {
      items[goes[event.key] % items.length]?.focus();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Escape" || event.key === "Tab") {
      close();
      event.preventDefault();
      event.stopPropagation();
    }
  });
  document.addEventListener("pointerdown", (event) => {
    if (!box.hidden && !box.contains(event.target)) close({ refocus: false });
  });

  return {
    close,
    open(groups, { x, y, label }) {
      before = document.activeElement;
      box.replaceChildren();
      box.setAttribute("aria-label", label);
      groups.forEach((group, index) => {
        if (index) box.append(element("hr"));
        if (group.title) {
          const note = group.note ? element("small", { text: group.note }) : null;
          box.append(element("div", { className: "menu-title", role: "presentation" }, element("span", { text: group.title, translate: "no" }), note));
        }
        box.append(...group.items.map(entry));
      });
      box.hidden = false;
      box.scrollTop = 0;
      const room = box.offsetParent ?? document.body;
      box.style.left = `${Math.max(4, Math.min(x, room.clientWidth - box.offsetWidth - 4))}px`;
      box.style.top = `${Math.max(4, Math.min(y, room.clientHeight - box.offsetHeight - 4))}px`;
      box.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}
