// The list of keys, and the switch that turns single letters off for those whom they disturb.

import { storage } from "../lib/kept.js";

const KEPT = "siturec:letters";

export function keyHelp(dialog) {
  const letters = dialog.querySelector("[data-letters]");
  const kept = storage("localStorage");
  letters.checked = kept.getItem(KEPT) !== "off";
  letters.addEventListener("change", () => kept.setItem(KEPT, letters.checked ? "on" : "off"));
  return {
    get on() {
      return letters.checked;
    },
    open: () => dialog.showModal(),
  };
}
