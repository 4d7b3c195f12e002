// On a narrow screen the talk is a sheet from below: closed it shows the last message, open all of them.

export function sheet(box, { opened }) {
  const toggle = box.querySelector("[data-sheet-toggle]");
  toggle.addEventListener("click", () => {
    const open = box.toggleAttribute("data-open");
    toggle.setAttribute("aria-expanded", String(open));
    opened(open);
  });
  // What gets the focus by key is scrolled to where the sheet does not lie over it.
  new ResizeObserver(() => {
    const covers = getComputedStyle(box).position === "sticky" && getComputedStyle(box).bottom === "0px";
    document.documentElement.style.scrollPaddingBottom = covers ? `${box.offsetHeight + 8}px` : "";
  }).observe(box);
}
