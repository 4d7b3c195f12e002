// Actions and what came of them, in words.

import { METRES } from "./actions.js";
import { gettext, number } from "./words.js";

// A walk that ends this much earlier than chosen has met something.
const SHORT_M = 0.1;

function far(args) {
  return gettext("%(metres)s m", { metres: METRES[args.distance] ?? args.distance });
}

function turned(args) {
  return args.direction === "left"
    ? gettext("%(angle)s° left", { angle: args.angle })
    : gettext("%(angle)s° right", { angle: args.angle });
}

function sided(name, approach) {
  switch (approach) {
    case "front":
      return gettext("walk to %(name)s (front)", { name });
    case "back":
      return gettext("walk to %(name)s (back)", { name });
    case "inside_doorway":
      return gettext("walk into %(name)s", { name });
    case "outside_doorway":
      return gettext("walk to the door of %(name)s", { name });
    default:
      return gettext("walk to %(name)s", { name });
  }
}

// A call as the end of a sentence: "walk to Cooler 2 (front)".
export function doing({ tool, args = {} }, name = "") {
  switch (tool) {
    case "move_forward":
      return gettext("walk %(far)s ahead", { far: far(args) });
    case "move_backward":
      return gettext("step back %(far)s", { far: far(args) });
    case "side_step":
      return args.direction === "left"
        ? gettext("step %(far)s to the left", { far: far(args) })
        : gettext("step %(far)s to the right", { far: far(args) });
    case "turn":
      return gettext("turn %(turned)s", { turned: turned(args) });
    case "look_up_down":
      return args.direction === "up"
        ? gettext("look up %(angle)s°", { angle: args.angle })
        : gettext("look down %(angle)s°", { angle: args.angle });
    case "turn_and_move":
      return gettext("turn %(turned)s, then walk %(far)s", { turned: turned(args), far: far(args) });
    case "move_and_turn":
      return gettext("walk %(far)s, then turn %(turned)s", { turned: turned(args), far: far(args) });
    case "move_to_fixture":
    case "move_to_store":
    case "move_to_area":
      return sided(name || args.target, args.approach);
    case "pick_up_item":
      return gettext("pick up %(name)s", { name: name || args.product });
    case "check_item":
      return gettext("look closely at %(name)s", { name: name || args.product });
    case "drop_item":
      return name ? gettext("put back %(name)s", { name }) : gettext("put it back");
    case "add_to_cart":
      return name ? gettext("put %(name)s in the cart", { name }) : gettext("put it in the cart");
    case "do_not_add_to_cart":
      return name ? gettext("leave %(name)s", { name }) : gettext("leave it");
    default:
      return gettext("stay here");
  }
}

export function capital(text) {
  const [first = ""] = text;
  return first.toLocaleUpperCase(globalThis.document?.documentElement.lang || "en") + text.slice(first.length);
}

// What came of an action, as one line.
export function happened(deed) {
  const { tool, args = {}, name = "", ok } = deed;
  if (ok === false) return failed(deed);
  const metres = number(deed.displacement_m ?? 0, 1);
  switch (tool) {
    case "turn":
      return gettext("You turned %(turned)s.", { turned: turned(args) });
    case "look_up_down":
      return args.direction === "up" ? gettext("You looked up.") : gettext("You looked down.");
    case "pick_up_item":
      return gettext("You picked up %(name)s.", { name });
    case "drop_item":
      return gettext("You put %(name)s back.", { name });
    case "check_item":
      return gettext("You looked closely at %(name)s.", { name });
    case "add_to_cart":
      return gettext("You put %(name)s in the cart.", { name });
    case "do_not_add_to_cart":
      return gettext("You left %(name)s.", { name });
    case "idle":
      return gettext("You stayed where you were.");
    case "move_to_fixture":
    case "move_to_store":
    case "move_to_area":
      return gettext("You walked %(metres)s m and stopped at %(name)s.", { metres, name });
    default:
      if ((deed.displacement_m ?? 0) < 0.05) return gettext("Something is in the way: you did not move.");
      return METRES[args.distance] - deed.displacement_m > SHORT_M
        ? gettext("You walked %(metres)s m and stopped: something is in the way.", { metres })
        : gettext("You walked %(metres)s m.", { metres });
  }
}

// The record has its own words for this, in English.
function failed({ tool, name = "" }) {
  switch (tool) {
    case "move_to_fixture":
    case "move_to_store":
    case "move_to_area":
      return gettext("Something is in the way: you did not get to %(name)s.", { name });
    case "pick_up_item":
      return gettext("%(name)s could not be picked up.", { name });
    default:
      return gettext("That did not work.");
  }
}

export function side(thing) {
  switch (thing.side) {
    case "left":
      return gettext("left");
    case "right":
      return gettext("right");
    default:
      return gettext("ahead");
  }
}

export function whereabouts(thing) {
  return gettext("%(metres)s m, %(side)s", { metres: number(thing.distance_m, 1), side: side(thing) });
}
