// What is in the hand or just looked at, with all that is known of it; and the cart.

import { changes } from "../lib/drawing.js";
import { element, icon } from "../lib/dom.js";
import { facts } from "../lib/details.js";
import { gettext, money, ngettext } from "../lib/words.js";

// Where the details would push the tools out of sight, they open at a press.
const WIDE = matchMedia("(min-width: 1001px)");

export function hand(box) {
  const changed = changes();
  return {
    show(item, held) {
      if (!changed([item, held])) return;
      box.hidden = !item;
      if (!item) return;
      const rows = facts(item).flatMap(([name, value]) => [element("dt", { text: name }), element("dd", { text: value, translate: "no" })]);
      const summary = element(
        "summary",
        {},
        icon(held ? "hand" : "search"),
        element("span", { className: "hand-who" }, element("span", { className: "hand-what", text: held ? gettext("In your hand") : gettext("You are looking at") }), element("b", { text: item.name, translate: "no" })),
        item.price === null || item.price === undefined ? null : element("span", { className: "hand-price", text: money(item.price) }),
        icon("chevron-down", "icon turns"),
      );
      box.replaceChildren(element("details", { open: WIDE.matches }, summary, element("dl", { className: "facts", tabindex: "0" }, ...rows)));
    },
  };
}

export function cart(box) {
  const changed = changes();
  return {
    show(items) {
      if (!changed(items)) return;
      const text = items.length ? ngettext("%(count)s item in the cart", "%(count)s items in the cart", items.length) : gettext("Cart is empty");
      box.replaceChildren(icon("shopping-cart"), element("span", { text: items.length ? `${text}: ${items.map((item) => item.name).join(", ")}` : text }));
    },
  };
}
