// Why something could not be sent, in the reader's language.

import { gettext } from "./words.js";

export function refusal({ code, reason }) {
  switch (code) {
    case "stale":
      return gettext("The view has changed since. Please look again and choose anew.");
    case "busy":
      return gettext("It is not your turn yet. Your text is kept.");
    case "too_long":
      return gettext("This message is too long. Please shorten it; nothing of it is lost.");
    case "empty":
      return gettext("This study asks for a few words with every action.");
    case "says_marker":
      return gettext("Your message names a marker. The assistant has other markers on the same things: please use names.");
    case "superseded":
      return gettext("You went on in another tab or on another device. This one is resting.");
    case "sign_in":
      return gettext("Your participation has ended in the meantime. What you wrote is kept.");
    default:
      return gettext(reason);
  }
}
