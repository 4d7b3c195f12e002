// The reply box and the one primary button, which says what it will do.

import { element, icon, mark, write } from "../lib/dom.js";
import { readable } from "../lib/given.js";
import { gettext, ngettext } from "../lib/words.js";

export function composer(form, { limit, send, typed }) {
  const text = form.querySelector("textarea");
  const button = form.querySelector("[data-send]");
  const label = form.querySelector("[data-send-label]");
  const note = form.querySelector("[data-note]");
  const left = form.querySelector("[data-left]");
  let last = { mine: false, over: false, doing: "", required: false };

  function grow() {
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight + 2, 180)}px`;
  }

  function count() {
    const over = [...text.value].length - limit;
    left.textContent = over > -120 ? (over > 0 ? ngettext("%(count)s character too many", "%(count)s characters too many", over) : ngettext("%(count)s character left", "%(count)s characters left", -over)) : "";
    left.classList.toggle("bad-text", over > 0);
    text.setAttribute("aria-invalid", String(over > 0));
    return over;
  }

  function say(words, kind = "info", ...extra) {
    if (!words && note.hidden) return;
    note.replaceChildren();
    note.hidden = !words;
    if (!words) return;
    note.className = `notice notice-${kind}`;
    note.append(icon(kind === "warn" ? "triangle-alert" : "info"), element("div", {}, element("p", { text: words }), ...extra));
  }

  function label_() {
    const words = readable(text.value) ? gettext("Send and %(doing)s", last) : last.doing.charAt(0).toLocaleUpperCase() + last.doing.slice(1);
    write(label, last.mine ? words : last.over ? gettext("This visit is over") : gettext("Wait for your turn"));
    mark(button, "aria-disabled", String(!last.mine));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  text.addEventListener("input", () => {
    grow();
    count();
    label_();
    say("");
    typed();
  });

  function submit(confirmed = false) {
    if (!last.mine) return;
    if (count() > 0) {
      say(gettext("This message is too long. Please shorten it; nothing of it is lost."), "warn");
      text.focus();
      return;
    }
    if (last.required && !readable(text.value)) {
      say(gettext("This study asks for a few words with every action."), "warn");
      text.focus();
      return;
    }
    say("");
    send(confirmed);
  }

  return {
    submit,
    say,
    text: () => readable(text.value),
    focus: () => text.focus(),
    clear() {
      say("");
      if (!text.value) return;
      text.value = "";
      grow();
      count();
    },
    restore(value) {
      if (!value || readable(text.value)) return;
      text.value = value;
      grow();
      count();
    },
    // The reply says a marker: the assistant does not see the same ones.
    marker(words, may) {
      const again = may ? element("button", { type: "button", className: "button", text: gettext("Send it as it is"), on: { click: () => submit(true) } }) : null;
      say(words, "warn", again);
      text.focus();
    },
    show(now) {
      last = now;
      label_();
    },
  };
}
