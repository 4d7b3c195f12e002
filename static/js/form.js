// Every form: sent once however often it is clicked, typed values kept over a reload, errors brought into view.

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

for (const form of document.querySelectorAll("form[data-keep]")) {
  const key = `siturec:${form.dataset.keep}`;
  const saved = form.querySelector("[data-saved]");
  const kept = JSON.parse(localStorage.getItem(key) ?? "{}");
  for (const [name, value] of Object.entries(kept)) {
    const field = form.elements.namedItem(name);
    if (field && !field.value) field.value = value;
  }
  form.addEventListener("input", () => {
    const values = [...new FormData(form)];
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(values)));
    if (saved) saved.textContent = gettext("Kept on this device");
  });
  form.addEventListener("submit", () => localStorage.removeItem(key));
}

document.querySelector("[data-errors]")?.focus();
for (const opener of document.querySelectorAll("[data-opens]")) {
  const dialog = document.getElementById(opener.dataset.opens);
  if (dialog) opener.addEventListener("click", () => dialog.showModal());
}
for (const closer of document.querySelectorAll("[data-closes]")) {
  closer.addEventListener("click", () => closer.closest("dialog").close());
}
