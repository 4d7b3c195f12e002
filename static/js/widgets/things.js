// The plain list of what is in view and what can be done with it: for screen readers, touch, and keyboards.

import { element, icon } from "../lib/dom.js";
import { whereabouts } from "../lib/describe.js";
import { gettext, ngettext } from "../lib/words.js";
import { offers } from "../lib/actions.js";

// A thing's label as it is in the picture; its name says the same to who hears the page.
export function badge(thing) {
  return element("span", { className: `marker marker-${thing.kind}`, text: thing.marker, "aria-hidden": "true" });
}

export function why(offer) {
  return offer.reason === "far" ? gettext("too far to reach") : gettext(offer.reason);
}

export function things(list, { choose, show, count }) {
  function row(thing, tools) {
    const buttons = offers(thing, tools).map((offer) => {
      const short = thing.kind === "product" ? verb(offer.call.tool) : way(offer.call.args.approach);
      const label = `${short}: ${thing.name}`;
      return element("button", {
        type: "button",
        className: "button thing-do",
        "aria-label": offer.enabled ? label : `${label}, ${why(offer)}`,
        "aria-disabled": offer.enabled ? null : "true",
        title: offer.enabled ? null : why(offer),
        text: short,
        on: { click: () => offer.enabled && choose(offer.call, thing) },
      });
    });
    const far = thing.kind === "product" && thing.reachable === false;
    const note = far ? `${whereabouts(thing)} · ${gettext("too far to reach")}` : whereabouts(thing);
    return element(
      "li",
      { className: "thing", on: { pointerenter: () => show(thing), pointerleave: () => show(null), focusin: () => show(thing), focusout: () => show(null) } },
      badge(thing),
      element("span", { className: "thing-name" }, element("b", { text: thing.name, translate: "no" }), element("span", { className: "muted", text: note })),
      element("span", { className: "thing-dos" }, ...(far ? [] : buttons)),
    );
  }

  return {
    show(all, tools) {
      const order = { product: 0, fixture: 1, store: 1, area: 2 };
      const sorted = [...all].sort((a, b) => order[a.kind] - order[b.kind] || a.distance_m - b.distance_m);
      list.replaceChildren(...sorted.map((thing) => row(thing, tools)));
      count.textContent = ngettext("%(count)s thing", "%(count)s things", all.length);
      if (!all.length) {
        list.append(element("li", { className: "thing-none muted" }, icon("eye"), element("span", { text: gettext("Nothing with a marker is in view. Turn or walk to see more.") })));
      }
    },
  };
}

function verb(tool) {
  return tool === "pick_up_item" ? gettext("Pick up") : gettext("Look closely");
}

function way(approach) {
  switch (approach) {
    case "front":
      return gettext("To its front");
    case "back":
      return gettext("To its back");
    case "inside_doorway":
      return gettext("Go in");
    case "outside_doorway":
      return gettext("To the door");
    default:
      return gettext("Walk to");
  }
}

