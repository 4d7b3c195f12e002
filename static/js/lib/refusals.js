// Why something could not be sent, in the reader's language.

import { gettext, number } from "./words.js";

// Rules whose sentences hold names or numbers; the others' sentences are fixed.
function ruled({ rule, reason, values = {} }) {
  switch (rule) {
    case "out_of_reach":
      return gettext("%(name)s is %(metres)s m away, too far to reach: walk closer first.", { name: values.name, metres: number(values.distance_m, 1) });
    case "not_visible":
      return gettext("Nothing marked %(marker)s is in view any more. Please choose anew.", { marker: values.marker });
    case "wrong_kind":
      return gettext("This cannot be done with %(name)s.", { name: values.name });
    case "side_not_offered":
      return gettext("%(name)s cannot be approached like that from here.", { name: values.name });
    case "pitch_limit":
      if (!Number(values.left)) return values.direction === "up" ? gettext("You cannot look up any further.") : gettext("You cannot look down any further.");
      return values.direction === "up"
        ? gettext("You cannot look up that far: only %(left)s° more.", { left: values.left })
        : gettext("You cannot look down that far: only %(left)s° more.", { left: values.left });
    case "unknown_tool":
    case "bad_arguments":
      return gettext("This cannot be done here.");
    default:
      return gettext(reason);
  }
}

export function refusal({ code, reason, rule, values }) {
  switch (code) {
    case "not_allowed":
      return ruled({ rule, reason, values });
    case "invalid":
      return gettext("This page sent something the server did not understand. Please reload it; your text is kept.");
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
