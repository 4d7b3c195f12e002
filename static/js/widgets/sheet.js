// On a narrow screen the talk is a sheet from below: closed it shows the last message, open all of them.

export function sheet(box, { opened }) {
  const toggle = box.querySelector("[data-sheet-toggle]");
  toggle.addEventListener("click", () => {
    const open = box.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(open));
    opened(open);
  });
}
