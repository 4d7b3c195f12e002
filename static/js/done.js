// The last page: the code into the clipboard.

import { gettext } from "./lib/words.js";

const button = document.querySelector("[data-copy]");
const code = document.querySelector("[data-code]");

button?.addEventListener("click", async () => {
  const words = button.querySelector("span");
  try {
    await navigator.clipboard.writeText(code.textContent.trim());
    words.textContent = gettext("Copied");
  } catch {
    getSelection().selectAllChildren(code);
    words.textContent = gettext("Marked: press Ctrl+C");
  }
});
