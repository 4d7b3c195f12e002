// The picture as large as it was painted, or larger, where the page has less room for it: the same picture, the same
// clicks. Fingers pan and pinch as anywhere; the buttons do the same for who cannot.

import { enlarged as width, STEPS } from "../lib/geometry.js";

// box: the frame; menu: what opens over it. Both move into the dialog and back, so that there is one of each.
export function enlarged(dialog, { opener, box, menu, list }) {
  const room = dialog.querySelector("[data-pan]");
  const buttons = { "-1": dialog.querySelector("[data-smaller]"), 1: dialog.querySelector("[data-larger]") };
  const home = box.parentElement;
  let step = 0;

  // What was in the middle stays there.
  function size(to) {
    const across = (room.scrollLeft + room.clientWidth / 2) / room.scrollWidth;
    const down = (room.scrollTop + room.clientHeight / 2) / room.scrollHeight;
    step = to;
    box.style.width = `${width(room.clientWidth, room.clientHeight, step)}px`;
    room.scrollTo(across * room.scrollWidth - room.clientWidth / 2, down * room.scrollHeight - room.clientHeight / 2);
    for (const [by, button] of Object.entries(buttons)) button.setAttribute("aria-disabled", String(!(step + Number(by) in STEPS)));
  }

  function open() {
    home.style.minHeight = `${home.offsetHeight}px`;
    room.append(box);
    dialog.append(menu);
    box.tabIndex = -1;
    dialog.showModal();
    size(0);
    room.scrollTo((room.scrollWidth - room.clientWidth) / 2, (room.scrollHeight - room.clientHeight) / 2);
    room.focus();
  }

  opener.addEventListener("click", open);
  for (const [by, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => step + Number(by) in STEPS && size(step + Number(by)));
  }
  room.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.target !== room) return;
    event.preventDefault();
    list();
  });
  addEventListener("resize", () => dialog.open && size(step));
  dialog.addEventListener("close", () => {
    box.style.width = "";
    box.tabIndex = 0;
    home.prepend(box);
    home.append(menu);
    home.style.minHeight = "";
  });

  return { close: () => dialog.open && dialog.close() };
}
