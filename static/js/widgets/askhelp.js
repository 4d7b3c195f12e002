// A call for help. Its words stay, over a reload too, until they have been sent.

import { keeper } from "../lib/kept.js";
import { gettext } from "../lib/words.js";

export function askHelp(form, { ask, say }) {
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = new FormData(form).get("text") ?? "";
    form.closest("dialog")?.close();
    if (!(await ask({ type: "help", text }))) return say(gettext("There is no connection just now. Your words are kept; please ask again in a moment."), "warn");
    keeper(form.dataset.keep).drop();
    form.reset();
    say(gettext("The study's team has been told."), "info");
  });
}
