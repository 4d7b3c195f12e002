// Every form: sent once however often it is clicked, typed values kept over a reload, errors brought into view.

import { dropWhatArrived, keeper } from "./lib/kept.js";
import { gettext } from "./lib/words.js";

for (const form of document.querySelectorAll("form[data-once]")) {
  let gone = false;
  form.addEventListener("submit", (event) => {
    if (gone) {
      event.preventDefault();
      return;
    }
    gone = true;
    form.querySelectorAll("button").forEach((button) => button.setAttribute("aria-busy", "true"));
    // Should the page still be here after a while, the line was lost: let it be sent again.
    setTimeout(() => {
      gone = false;
      form.querySelectorAll("button").forEach((button) => button.removeAttribute("aria-busy"));
    }, 8000);
  });
}
addEventListener("pageshow", (event) => event.persisted && location.reload());

const keeping = [...document.querySelectorAll("form[data-keep]")];
dropWhatArrived(keeping.map((form) => form.dataset.keep));
for (const form of keeping) {
  const kept = keeper(form.dataset.keep);
  const saved = form.querySelector("[data-saved]");
  for (const [name, value] of Object.entries(kept.read())) {
    const field = form.elements.namedItem(name);
    if (!field || field.type === "hidden") continue;
    if (field.type === "checkbox") field.checked = true;
    // Where the server keeps drafts, what is still on this device is newer than they are.
    else if (!field.value || form.dataset.draft) field.value = value;
  }
  form.addEventListener("input", () => {
    kept.write(form);
    if (saved) saved.textContent = gettext("Kept on this device");
  });
  form.addEventListener("submit", () => {
    kept.write(form);
    kept.sent();
  });
}

document.querySelector("[data-errors]")?.focus();
for (const opener of document.querySelectorAll("[data-opens]")) {
  const dialog = document.getElementById(opener.dataset.opens);
  if (dialog) opener.addEventListener("click", () => dialog.showModal());
}
for (const closer of document.querySelectorAll("[data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}
