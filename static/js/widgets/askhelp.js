// A call for help. Its words stay, over a reload too, until the server has said that it has them.

import { keeper } from "../lib/kept.js";
import { gettext } from "../lib/words.js";

// ask(message) gives { told, events }; heard(event) takes what the server says to it.
export function askHelp(form, { ask, heard, say }) {
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = new FormData(form).get("text") ?? "";
    form.closest("dialog")?.close();
    say(gettext("Telling the study's team…"), "info");
    const { told, events } = await ask({ type: "help", text });
    events.forEach(heard);
    if (!told) {
      // Why it was not taken has been said by what came; nothing comes of a line that carries nothing.
      if (!events.length) say(gettext("There is no connection just now. Your words are kept; please ask again in a moment."), "warn");
      return;
    }
    // What was written on meanwhile has not been told.
    if (form.elements.text.value === text) {
      keeper(form.dataset.keep).drop();
      form.reset();
    }
    say(gettext("The study's team has been told."), "info");
  });
}
