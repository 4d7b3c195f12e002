// The questionnaire: half-filled sheets are kept on the server, and what is missing is named on sending.

import "./form.js";
import { keeper } from "./lib/kept.js";
import { gettext } from "./lib/words.js";

const form = document.querySelector("[data-sheet]");
const saved = form.querySelector("[data-saved]");
const kept = keeper(form.dataset.keep);
let timer = null;
let sent = false;

async function keep() {
  if (sent) return;
  const body = new FormData(form);
  kept.write(form);
  try {
    const answer = await fetch(form.dataset.draft, { method: "POST", body, keepalive: true });
    if (answer.ok && !sent) kept.drop();
    saved.textContent = answer.ok ? gettext("Kept") : gettext("Not kept yet; it will be sent with the rest.");
  } catch {
    saved.textContent = gettext("No connection: your answers are kept on this device.");
  }
}

if (Object.keys(kept.read()).length) keep();
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(keep, 400);
});
form.addEventListener("change", (event) => {
  const item = event.target.closest("[data-item]");
  item?.classList.remove("item-fault");
  item?.querySelector(".error")?.remove();
});
form.addEventListener("submit", () => {
  sent = true;
  clearTimeout(timer);
});
for (const link of form.querySelectorAll("[data-errors] a")) {
  link.addEventListener("click", (event) => {
    const item = document.querySelector(link.getAttribute("href"));
    if (!item) return;
    event.preventDefault();
    item.scrollIntoView({ block: "center" });
    (item.querySelector("input, textarea") ?? item).focus({ preventScroll: true });
  });
}
