// Can this device take part? Each finding is good, warn (works, with less comfort) or bad (would get stuck).

import { gettext } from "./words.js";

export const LEAST_WIDTH = 320;

export function checkDevice(world) {
  return [browser(world), live(world), screen(world), pointer(world)];
}

function browser(world) {
  const able = typeof world.createImageBitmap === "function" && Boolean(world.HTMLDialogElement) && Boolean(world.CSS?.supports?.("selector(:has(*))"));
  return able
    ? { kind: "good", title: gettext("Your browser can show the store") }
    : { kind: "bad", title: gettext("Your browser is too old"), note: gettext("Please use a current Firefox, Chrome, Edge or Safari.") };
}

function live(world) {
  return typeof world.WebSocket === "function"
    ? { kind: "good", title: gettext("Live connection is possible") }
    : { kind: "warn", title: gettext("No live connection"), note: gettext("It works all the same, a little slower.") };
}

function screen(world) {
  if (world.innerWidth < LEAST_WIDTH) return { kind: "bad", title: gettext("The window is too narrow"), note: gettext("Please make it wider, or turn your phone.") };
  if (world.innerWidth < 700) return { kind: "warn", title: gettext("Small screen"), note: gettext("It works; a larger window shows more of the store.") };
  return { kind: "good", title: gettext("Your window is large enough") };
}

function pointer(world) {
  const touch = world.matchMedia?.("(pointer: coarse)").matches;
  return { kind: "good", title: touch ? gettext("You can act by touch") : gettext("You can act by mouse or keyboard") };
}
