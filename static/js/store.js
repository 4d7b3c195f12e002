// The store page: one episode, from the first look to its end.

import "./form.js"; // the dialogs for help and keys open by it
import { apply, EMPTY } from "./lib/episode.js";
import { ARROWS, COMBINED, KEYS, chosen, holds, offers } from "./lib/actions.js";
import { capital, doing, happened, whereabouts } from "./lib/describe.js";
import { gettext } from "./lib/words.js";
import { icon } from "./lib/dom.js";
import { line } from "./lib/line.js";
import { drafts } from "./lib/drafts.js";
import { storage } from "./lib/kept.js";
import { outbox } from "./lib/outbox.js";
import { refusal } from "./lib/refusals.js";
import { polling } from "./lib/polling.js";
import { post } from "./lib/post.js";
import { lesson } from "./widgets/lesson.js";
import { MINIMAP, unpack } from "./lib/pictures.js";
import { changes, drawing, lasting } from "./lib/drawing.js";
import { cart, hand } from "./widgets/hand.js";
import { chat } from "./widgets/chat.js";
import { chip } from "./widgets/chip.js";
import { frame } from "./widgets/frame.js";
import { composer } from "./widgets/composer.js";
import { enlarged } from "./widgets/enlarged.js";
import { askHelp } from "./widgets/askhelp.js";
import { banner } from "./widgets/banner.js";
import { goalCard } from "./widgets/goal.js";
import { menu } from "./widgets/menu.js";
import { badge, things, why } from "./widgets/things.js";
import { sheet } from "./widgets/sheet.js";
import { status } from "./widgets/status.js";
import { toolbar } from "./widgets/toolbar.js";
import { minimap } from "./widgets/minimap.js";
import { keyHelp } from "./widgets/keyhelp.js";

const page = document.querySelector("[data-store]");
const part = (name) => page.querySelector(`[data-${name}]`);
const { letter, name, key, socket: path, limit, state: stateUrl, pictures, act: actUrl } = page.dataset;

let state = { ...EMPTY, letter };
let call = null;
// After every (re)connection: what is shown may be old until a snapshot comes, and a turn on its way may be lost.
let fresh = false;
let unsettled = false;
// The view whose turn the server has taken: the word that its action has begun may come a little later.
let taken;

const ui = {
  banner: banner(document.querySelector("[data-banner]"), { takeOver: () => wire.send({ type: "take_over" }) || wire.renew() }),
  frame: frame(part("frame"), { pick: pickAt, seen: () => draw(), moved: (number) => wire.send({ type: "shown", number }) }),
  menu: menu(part("menu"), { closed: () => ui.frame.show(null) }),
  chat: chat(part("log"), { name }),
  chip: chip(part("chip"), { change: choose, remove: () => choose(null) }),
  hand: hand(part("hand")),
  cart: cart(part("cart")),
  goal: goalCard(part("goal")),
  minimap: minimap(part("minimap"), document.querySelector("[data-plan]")),
  things: things(part("things"), { choose, show: (thing) => ui.frame.show(thing), count: part("count") }),
  status: status(page, { name }),
  toolbar: toolbar(part("toolbar"), { why: part("why"), move, walkMenu, productMenu, moreMenu, choose }),
  composer: composer(part("composer"), { limit: Number(limit), send, typed: saveDraft }),
  lesson: lesson(page.querySelector("[data-lesson]"), part("toolbar")),
  keys: keyHelp(document.querySelector("[data-keyhelp]")),
  large: enlarged(part("enlarged"), { opener: part("enlarge"), box: part("frame"), menu: part("menu"), list: pickNear }),
};

const box = outbox({ key: `siturec:act:${key}`, storage: storage("sessionStorage"), send: (act) => wire.send(act) });
const draft = drafts({ key: `siturec:draft:${key}`, storage: storage("localStorage"), most: Number(limit), send: (words) => wire.send(words) });

const wire = line({
  url: new URL(path, location.href.replace(/^http/, "ws")).href,
  resting: () => Boolean(state.superseded),
  resume: () => ({ type: "resume", have_seq: state.seq, have_frame: ui.frame.shown }),
  polling: stateUrl ? () => polling({ stateUrl, pictures, actUrl, on: take, picture: ui.frame.picture, shown: () => ui.frame.shown }) : null,
  handlers: {
    event: take,
    picture(buffer) {
      const picture = unpack(buffer);
      if (!picture) return;
      if (picture.kind === MINIMAP) ui.minimap.show(picture.jpeg);
      else ui.frame.picture(picture);
    },
    state(now, detail) {
      // Of a practice the server may have kept less than it had taken: what a new line shows is so.
      if (now === "open") [fresh, taken] = [false, undefined];
      if (now === "open" || now === "fallback") unsettled = Boolean(box.pending);
      ui.banner.line(now, detail);
      draw();
    },
  },
});

function take(event) {
  if (event.type === "drafted") return draft.given(event.stamp);
  if (event.type === "accepted") settled(event.client_id, true);
  if (event.type === "refused") refused(event);
  if (event.type === "superseded") taken = undefined;
  const before = state;
  const next = apply(state, event);
  state = next.state;
  if (next.gap) wire.send({ type: "resume", have_seq: state.seq, have_frame: ui.frame.shown });
  if (event.type === "snapshot") arrived(before, event);
  if (unsettled && fresh && box.pending && state.phase === "user") sendAgain();
  draw();
}

function arrived(before, snapshot) {
  fresh = true;
  if (box.pending && snapshot.last_client_id === box.pending.client_id) settled(box.pending.client_id, true);
  if (before.seq === 0) {
    const { text = "", tool, args = {} } = draft.latest(snapshot.frame, snapshot.draft) ?? {};
    ui.composer.restore(text);
    if (tool) call = { tool, args };
  }
  draft.hand();
  // Until a store has been found for somebody who comes back there is nothing to hold the choice against.
  if (snapshot.tools.length && !holds(call, snapshot.things, snapshot.tools)) call = null;
}

// The turn may never have got there: the same one again or, where the view has moved on, its words back.
function sendAgain() {
  unsettled = false;
  if (state.frame === box.pending.frame) {
    box.again();
    return;
  }
  ui.composer.restore(box.pending.reply);
  box.drop();
  saveDraft();
  ui.composer.say(gettext("Your last message did not get through. Please check it and send it again."), "warn");
}

function settled(clientId, clear) {
  const sent = box.pending;
  if (!box.settle(clientId)) return;
  if (clear) {
    taken = sent.frame;
    call = null;
    // What was written on while it was on its way has not been sent.
    if (ui.composer.text() === sent.reply) ui.composer.clear();
    else saveDraft();
  }
}

function refused(event) {
  if (event.code === "sign_in") ui.banner.line("closed", 4401);
  if (event.client_id && !box.settle(event.client_id)) return;
  if (event.client_id) saveDraft();
  if (event.code === "says_marker") ui.composer.marker(refusal(event), state.marker_policy !== "block");
  else ui.composer.say(refusal(event), event.code === "busy" ? "info" : "warn");
  if (event.code === "stale" || event.code === "busy") wire.send({ type: "resume", have_seq: state.seq, have_frame: null });
}

function named(action) {
  const marker = action?.args?.product ?? action?.args?.target;
  if (marker !== undefined) return state.things.find((thing) => thing.marker === marker)?.name ?? "";
  if (["add_to_cart", "drop_item", "do_not_add_to_cart"].includes(action?.tool)) return (state.held ?? state.checked)?.name ?? "";
  return "";
}

function myTurn() {
  return fresh && state.phase === "user" && !box.pending && state.frame !== taken && !state.superseded && !state.paused;
}

const changed = changes();
const lasts = lasting(() => draw());
const draw = drawing(show, { held: () => ui.frame.coming });

function show() {
  const mine = myTurn();
  const waits = lasts(!mine);
  const settledFrame = state.frame === null || state.frame === undefined || ui.frame.shown === state.frame;
  if (state.phase === "ended" || state.superseded || state.paused) ui.large.close();
  ui.chat.show(state.lines);
  ui.hand.show(state.held ?? state.checked, Boolean(state.held));
  ui.cart.show(state.cart ?? []);
  ui.goal.show(state.goal);
  ui.minimap.allow(Boolean(state.minimap));
  if (changed([state.frame, settledFrame, state.phase, state.tools])) {
    const visible = settledFrame && state.phase === "user" ? state.things : [];
    ui.frame.things(visible, state);
    if (state.phase === "user") ui.things.show(state.things, state.tools);
  }
  ui.frame.busy(!mine || !settledFrame);
  if (mine || waits) ui.chip.show(call, named(call), mine);
  ui.toolbar.show({ tools: state.tools, call, mine, waits });
  ui.composer.show({ mine, over: state.phase === "ended", doing: doing(call ?? { tool: "idle" }, named(call)), required: state.reply_required });
  ui.status.show(state, { pending: Boolean(box.pending), waits, outcome: state.outcome ? happened(state.outcome) : "" });
  ui.banner.show(state);
  ui.lesson.show(state.lines, mine);
}

function choose(next) {
  call = next;
  ui.large.close();
  saveDraft();
  ui.composer.say("");
  draw();
}

function move(name) {
  choose(chosen(name, call));
}

function send(confirmed = false) {
  if (!myTurn()) return;
  const action = call ?? { tool: "idle", args: {} };
  draft.drop();
  if (part("frame").getBoundingClientRect().top < 0) scrollTo({ top: 0 });
  box.post({ frame: state.frame, reply: ui.composer.text(), tool: action.tool, args: action.args, confirmed });
  draw();
}

function saveDraft() {
  if (state.phase === "ended") return;
  draft.keep({ frame: state.frame, text: ui.composer.text(), tool: call?.tool ?? null, args: call?.args ?? {} });
}

function entry(offer, thing) {
  return { label: capital(doing(offer.call, thing.name)), marker: badge(thing), enabled: offer.enabled, note: offer.enabled ? "" : why(offer), run: () => choose(offer.call) };
}

function group(thing) {
  return { title: thing.name, note: whereabouts(thing), items: offers(thing, state.tools).map((offer) => entry(offer, thing)) };
}

function pickAt(hits, at) {
  if (hits.length) ui.menu.open(hits.slice(0, 3).map(group), { ...at, label: hits[0].name });
}

// For whoever does not point: what is near, nearest first.
function pickNear() {
  if (state.phase === "user") pickAt([...state.things].sort((a, b) => a.distance_m - b.distance_m), { x: 16, y: 16 });
}

function listMenu(kinds, label, button) {
  const found = state.things.filter((thing) => kinds.includes(thing.kind)).sort((a, b) => a.distance_m - b.distance_m);
  const groups = found.map((thing) => ({ items: group(thing).items.map((item) => ({ ...item, note: item.note || whereabouts(thing) })) }));
  ui.menu.open([{ items: groups.flatMap((one) => one.items) }], { ...below(button), label });
}

function walkMenu(button) {
  listMenu(["fixture", "store", "area"], gettext("Walk to"), button);
}

function productMenu(button) {
  listMenu(["product"], gettext("Products in view"), button);
}

function moreMenu(button) {
  const items = COMBINED.map((one) => ({ label: capital(doing(one)), icon: `corner-up-${one.args.direction}`, run: () => choose(one) }));
  ui.menu.open([{ items }], { ...below(button), label: gettext("Turn and walk in one go") });
}

function below(button) {
  const rect = button.getBoundingClientRect();
  const room = part("menu").parentElement.getBoundingClientRect();
  return { x: rect.left - room.left, y: rect.top - room.top - 240 };
}

// Keys: letters anywhere but in a text (they can be switched off), arrows while the frame has the focus.
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    ui.large.close(); // whatever there is to say of it is said on the page
    return ui.composer.submit();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || !part("menu").hidden) return;
  if (event.key === "Escape" && call) return choose(null);
  const inFrame = document.activeElement === part("frame");
  if (inFrame && event.key in ARROWS) {
    event.preventDefault();
    return move(ARROWS[event.key]);
  }
  if (inFrame && event.key === "Enter" && state.phase === "user") {
    event.preventDefault();
    return pickNear();
  }
  if (event.target.closest("textarea, input, select") || !ui.keys.on || state.phase !== "user") return;
  const name = event.key.toLowerCase();
  if (name in KEYS) move(KEYS[name]);
  else if (!ui.toolbar.press(name)) {
    if (name === "m") ui.composer.focus();
    else if (name === "?") ui.keys.open();
    else return;
  }
  event.preventDefault();
});

document.addEventListener("visibilitychange", () => document.hidden || wire.hurry());
addEventListener("offline", () => wire.gone());
// Another tab plays: whoever rests there must not take its place for a network that came back.
addEventListener("online", () => state.superseded || wire.renew());
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.querySelector("[data-open-keys]")?.addEventListener("click", () => ui.keys.open());
askHelp(document.querySelector("[data-ask-help]"), { ask: (call) => post(actUrl, call, { ms: 10000 }), heard: take, say: ui.composer.say });
sheet(part("talk"), { opened: () => ui.chat.end() });
part("outcome").prepend(icon("footprints", "icon icon-s"));
draw();
