// One participant's store as they see it, with what was said and done.
import { refresh } from "./lib/refresh.js";

const watch = document.getElementById("watch");
const picture = watch.querySelector("img");
const log = document.getElementById("log");
const messages = document.getElementById("messages");
const put = (name, text) => {
  const spot = document.querySelector(`[data-watch="${name}"]`);
  if (spot) spot.textContent = text;
};

function line(entry, letter) {
  const item = document.createElement("li");
  item.dataset.who = entry.who;
  const who = document.createElement("span");
  who.className = "who";
  who.textContent = `${entry.turn} · ${entry.who === "user" ? "participant" : `assistant ${letter}`}${entry.act ? ` · ${entry.act}` : ""}`;
  const said = document.createElement("span");
  said.dir = "auto";
  said.textContent = entry.text || "(said nothing)";
  item.append(who, said);
  if (entry.outcome) {
    const outcome = document.createElement("span");
    outcome.className = "who";
    outcome.textContent = entry.outcome;
    item.append(outcome);
  }
  return item;
}

function show(state) {
  put("state", state.state);
  put("place", `${state.step}${state.total ? ` ${state.number} of ${state.total}` : ""}${state.letter ? `, assistant ${state.letter} (${state.assistant}), task ${state.task}` : ""} · seen ${state.away_s} s ago`);
  put("draft", state.draft ? `Being typed: ${state.draft}` : "");
  document.querySelector('[data-watch="blank"]').hidden = Boolean(state.frame);
  picture.hidden = !state.frame;
  if (state.frame && picture.dataset.digest !== state.frame) {
    picture.dataset.digest = state.frame;
    picture.src = watch.dataset.picture.replace("DIGEST", state.frame);
  }
  if (log.children.length !== state.lines.length || state.lines.length === 0) {
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    log.replaceChildren(...state.lines.map((entry) => line(entry, state.letter)));
    if (atEnd) log.scrollTop = log.scrollHeight;
  }
  messages.replaceChildren(
    ...state.messages.map((message) => {
      const item = document.createElement("li");
      item.textContent = `${message.at} ${message.kind === "help" ? "They ask for help" : "You wrote"}: ${message.text}`;
      return item;
    }),
  );
}

show(JSON.parse(document.getElementById("state").textContent));
refresh(watch.dataset.state, 1000, show, (problem) => put("place", `Not fresh: ${problem.message}. Trying again.`));
