// The list of keys, and the switch that turns single letters off for those whom they disturb.

const KEPT = "siturec:letters";

export function keyHelp(dialog) {
  const letters = dialog.querySelector("[data-letters]");
  letters.checked = localStorage.getItem(KEPT) !== "off";
  letters.addEventListener("change", () => localStorage.setItem(KEPT, letters.checked ? "on" : "off"));
  return {
    get on() {
      return letters.checked;
    },
    open: () => dialog.showModal(),
  };
}
