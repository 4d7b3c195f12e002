// Who is at work, which turn it is, what came of the last action, and the end of it all.

import { gettext, number } from "../lib/words.js";
import { write } from "../lib/dom.js";

const LONG_MS = 12000;
const STUCK_MS = 75000;

export function status(page, { name }) {
  const turn = page.querySelector("[data-turn]");
  const doing = page.querySelector("[data-doing]");
  const words = page.querySelector("[data-doing-words]");
  const veil = page.querySelector("[data-veil]");
  const veilWords = page.querySelector("[data-veil-words]");
  const outcome = page.querySelector("[data-outcome]");
  const hint = page.querySelector("[data-hint]");
  const over = page.querySelector("[data-over]");
  let since = performance.now();
  let print = "";
  let last = null;

  function phaseWords(state, pending, long) {
    if (state.queue) return place(state.queue);
    if (state.waiting) return gettext(state.waiting);
    if (state.phase === "preparing" && known(state.frame)) return gettext("The next view is coming…");
    if (state.phase === "preparing") return long ? gettext("The store is still being set up; this can take a minute.") : gettext("Getting the store ready…");
    if (state.phase === "acting" || pending) return gettext("On your way…");
    if (state.phase === "assistant") {
      return long ? gettext("%(name)s is still thinking; this can take a minute.", { name }) : gettext("%(name)s is looking around…", { name });
    }
    return "";
  }

  // Whoever has seen a view is in the store already.
  function known(frame) {
    return frame !== null && frame !== undefined;
  }

  function place(queue) {
    if (queue === 1) return gettext("All stores are in use. You are next in line for one.");
    return gettext("All stores are in use. You are number %(place)s in line for one.", { place: number(queue) });
  }

  function draw() {
    const { state, pending, waits, text } = last;
    const waited = performance.now() - since;
    const now = phaseWords(state, pending, waited > LONG_MS);
    doing.hidden = !now || !waits || state.phase === "ended" || state.phase === "acting" || pending;
    write(words, now);
    veil.hidden = !waits || !(state.phase === "preparing" || state.phase === "acting" || pending) || state.phase === "ended";
    write(veilWords, now);
    doing.classList.toggle("visually-hidden", !veil.hidden); // seen once, over the frame; heard from here
    write(turn, gettext("turn %(turn)s of %(limit)s", { turn: Math.min((state.turn ?? 0) + 1, state.turn_limit ?? 20), limit: state.turn_limit ?? 20 }));
    write(outcome.querySelector("span"), text);
    outcome.toggleAttribute("data-empty", !text);
    hint.hidden = !(state.phase === "user" && waited > STUCK_MS) || state.practice;
  }

  setInterval(() => last && draw(), 1000);

  return {
    show(state, { pending, waits, outcome: text }) {
      const key = `${state.phase} ${state.turn} ${pending}`;
      if (key !== print) {
        print = key;
        since = performance.now();
      }
      last = { state, pending, waits, text };
      draw();
      if (state.phase === "ended" && over.hidden) finish(state);
    },
  };

  function finish(state) {
    const last = state.outcome?.tool === "add_to_cart" ? state.outcome.name : "";
    const bought = (state.cart ?? []).map((item) => item.name).join(", ") || last;
    over.querySelector("[data-over-words]").textContent = state.practice ? gettext("You have tried everything once. Nothing of it counts.") : ending(state.end_reason, bought);
    over.querySelector("a").href = state.next_url || "";
    over.hidden = false;
    over.querySelector("a").focus();
  }

  function ending(reason, bought) {
    switch (reason) {
      case "success_cart_added":
        return bought ? gettext("You put %(bought)s in the cart. Well done: this visit is complete.", { bought }) : gettext("You put an item in the cart. Well done: this visit is complete.");
      case "turn_limit":
        return gettext("All turns of this visit are used. That is fine: not every visit ends with a purchase.");
      case "recommendation_exhausted":
        return gettext("The assistant has made its last recommendation, so this visit is over.");
      case "motion_stall":
        return gettext("You could not get any further from here, so this visit is over.");
      case "technical_failure":
        return gettext("Something failed on our side and this visit cannot go on. It does not count against you.");
      default:
        return gettext("This visit is over.");
    }
  }
}
