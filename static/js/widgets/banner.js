// The line on top of the page when something is the matter with the connection, or another tab acts.

import { changes } from "../lib/drawing.js";
import { element, icon } from "../lib/dom.js";
import { gettext } from "../lib/words.js";

export function banner(box, { takeOver }) {
  let wire = "waiting";
  let started = false;
  let code = null;
  let timer = null;
  const changed = changes();

  // The same words again leave what stands there alone, and with it the focus on its button.
  function put(kind, drawing, words, ...extra) {
    box.hidden = false;
    if (!changed([kind, drawing, words, extra.map((one) => one.textContent)])) return;
    box.className = `notice notice-${kind} banner`;
    box.replaceChildren(icon(drawing), element("div", {}, element("p", { text: words })), ...extra);
  }

  function draw(state) {
    if (state?.superseded) {
      put("warn", "monitor", gettext("You went on in another tab or on another device. This one is resting."), element("button", { type: "button", className: "button", text: gettext("Continue here"), on: { click: takeOver } }));
    } else if (wire === "closed") {
      const words = code === 4401 ? gettext("Please sign in again to go on. What you typed is kept.") : gettext("This page is no longer in use.");
      put("warn", "info", words, element("a", { className: "button", href: "", text: gettext("Reload the page") }));
    } else if (wire === "waiting" && started) {
      put("warn", "wifi-off", gettext("The connection was lost. Trying again; nothing of yours is lost."));
    } else if (wire === "fallback") {
      put("info", "wifi", gettext("Your network blocks live connections, so this goes a little slower. Everything still works."));
    } else if (state?.paused) {
      const note = state.notes?.at(-1);
      put("warn", "pause", gettext("The study is paused. Please wait; your place is kept."), ...(note ? [element("p", { text: note })] : []));
    } else if (state?.trouble) {
      put("bad", "circle-alert", gettext(state.waiting) || gettext("Something went wrong on our side. Your place is kept."));
    } else if (state?.notes?.length) {
      put("info", "message-circle", state.notes.at(-1));
    } else box.hidden = true;
  }

  let latest = null;
  return {
    line(now, detail) {
      clearTimeout(timer);
      if (now === "closed") code = detail;
      // A blink of the line is nobody's business.
      const later = now === "waiting" ? 1200 : 0;
      timer = setTimeout(() => {
        wire = now;
        draw(latest);
      }, later);
      if (now === "open") started = true;
    },
    show(state) {
      latest = state;
      draw(state);
    },
  };
}
