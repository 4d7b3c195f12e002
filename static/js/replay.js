// The replay page: step, scrub, play; either role's view; the hidden side of each turn.
import { conversation, evidence, hidden, place, seconds } from "./lib/replaying.js";

const episode = JSON.parse(document.getElementById("document").textContent);
const root = document.getElementById("replay");
const by = (id) => document.getElementById(id);
const state = { at: place(episode.turns, Number(new URLSearchParams(location.search).get("turn") ?? 0)), role: "user" };
let playing = null;

function made(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function address(turn, view) {
  return root.dataset.picture.replace("/turn/0/", `/turn/${turn}/`).replace("VIEW", view);
}

function picture(element, turn, view) {
  const kept = turn?.pictures[view];
  element.hidden = !kept;
  if (kept) element.src = address(turn.index, view);
  else element.removeAttribute("src");
  return Boolean(kept);
}

function drawTurn(turn) {
  const box = by("turn");
  box.replaceChildren(made("h2", `Turn ${turn.index}`));
  if (turn.assistant) {
    const said = made("p", turn.assistant.utterance, "said");
    said.dir = "auto";
    box.append(made("h3", `Assistant · ${turn.assistant.action?.type ?? "no annotation"}`), said);
  }
  if (turn.user) {
    const said = made("p", turn.user.reply || "(said nothing)", "said");
    said.dir = "auto";
    box.append(made("h3", `User · ${turn.user.tool_call?.tool ?? "no action"}`), said);
    const outcome = turn.user.outcome;
    if (outcome) box.append(made("p", `${outcome.ok ? "Done" : "Refused"}: ${outcome.message || "as asked"} (moved ${Number(outcome.displacement_m ?? 0).toFixed(2)} m)`, "muted"));
  }
  if (turn.moderator) {
    const says = turn.moderator.missing ? "no readable answer" : turn.moderator.stop ? "stop" : "go on";
    box.append(made("p", `Moderator: ${says}`, "muted"));
  }
  const more = made("details");
  more.append(made("summary", "Hidden side and timing", "strong"));
  for (const [title, text] of hidden(turn)) more.append(made("h3", title), made("pre", text));
  if (Object.keys(turn.notes ?? {}).length) more.append(made("h3", "Notes"), made("pre", JSON.stringify(turn.notes, null, 1)));
  more.append(made("p", seconds(turn.timings), "muted"));
  if (turn.input_digest) more.append(made("p", `The assistant's input: SHA-256 ${turn.input_digest}`, "muted"));
  more.open = drawTurn.open ?? false;
  more.addEventListener("toggle", () => { drawTurn.open = more.open; });
  box.append(more);
}

function drawThings(turn) {
  by("things").replaceChildren(
    ...turn.visible.map((thing) => {
      const row = made("tr");
      const head = made("th", thing.name ?? thing.entity);
      head.scope = "row";
      const metres = made("td", Number(thing.distance_m).toFixed(1), "num");
      const reach = thing.reachable === undefined || thing.reachable === null ? "–" : thing.reachable ? "yes" : "no";
      row.append(head, made("td", thing.user_marker), made("td", thing.assistant_marker), metres, made("td", reach));
      return row;
    }),
  );
}

function draw() {
  const turn = episode.turns[state.at];
  if (!turn) {
    by("no-frame").hidden = false;
    by("frame").hidden = true;
    by("turn").replaceChildren(made("p", "Nothing was recorded in this episode."));
    return;
  }
  by("no-frame").hidden = picture(by("frame"), turn, `${state.role}_frame`);
  by("frame").alt = `What the ${state.role} saw in turn ${turn.index}`;
  picture(by("minimap"), turn, `${state.role}_minimap`);
  by("pose").textContent = turn.pose
    ? `at ${turn.pose.x_m.toFixed(1)}, ${turn.pose.y_m.toFixed(1)} m, facing ${Math.round(turn.pose.yaw_deg)}°`
    : "";
  by("scrub").max = String(episode.turns.length - 1);
  by("scrub").value = String(state.at);
  by("scrub").setAttribute("aria-valuetext", `turn ${turn.index}`);
  by("where").textContent = `turn ${turn.index} of ${episode.turns.at(-1).index}`;
  const link = new URL(location.href);
  link.searchParams.set("turn", turn.index);
  by("link").href = link.href;
  history.replaceState(null, "", link);
  drawTurn(turn);
  drawThings(turn);
  for (const entry of by("log").children) entry.toggleAttribute("aria-current", false);
  for (const entry of by("log").querySelectorAll(`[data-turn="${turn.index}"]`)) entry.setAttribute("aria-current", "true");
}

function go(to) {
  state.at = Math.max(0, Math.min(episode.turns.length - 1, to));
  draw();
}

function stop() {
  clearInterval(playing);
  playing = null;
  by("play").setAttribute("aria-pressed", "false");
}

by("back").addEventListener("click", () => go(state.at - 1));
by("on").addEventListener("click", () => go(state.at + 1));
by("scrub").addEventListener("input", (event) => go(Number(event.target.value)));
by("play").addEventListener("click", () => {
  if (playing) return stop();
  by("play").setAttribute("aria-pressed", "true");
  if (state.at === episode.turns.length - 1) go(0);
  playing = setInterval(() => (state.at < episode.turns.length - 1 ? go(state.at + 1) : stop()), 1500);
});
for (const button of document.querySelectorAll("[data-role]")) {
  button.addEventListener("click", () => {
    state.role = button.dataset.role;
    for (const other of document.querySelectorAll("[data-role]")) other.setAttribute("aria-pressed", String(other === button));
    draw();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, summary, button, a")) return;
  if (event.key === "ArrowLeft") go(state.at - 1);
  if (event.key === "ArrowRight") go(state.at + 1);
});

by("log").replaceChildren(
  ...conversation(episode.turns).map((entry) => {
    const item = made("li");
    item.dataset.who = entry.who;
    item.dataset.turn = entry.turn;
    const button = made("button");
    button.type = "button";
    const said = made("span", entry.text || "(said nothing)");
    said.dir = "auto";
    button.append(made("span", `${entry.turn} · ${entry.who}${entry.act ? ` · ${entry.act}` : ""}${entry.outcome ? ` · ${entry.outcome}` : ""}`, "who"), said);
    button.addEventListener("click", () => {
      go(place(episode.turns, entry.turn));
      root.scrollIntoView({ block: "start" });
    });
    item.append(button);
    return item;
  }),
);
const { questionnaire, judge } = episode.ratings;
const names = [...new Set([...Object.keys(questionnaire ?? {}), ...Object.keys(judge ?? {})])];
by("ratings").replaceChildren(
  ...names.map((name) => {
    const row = made("tr");
    const head = made("th", name.replaceAll("_", " "));
    head.scope = "row";
    row.append(head, made("td", questionnaire?.[name] ?? "–", "num"), made("td", judge?.[name] ?? "–", "num"));
    return row;
  }),
);
for (const given of episode.judgements) {
  const box = made("details");
  box.append(made("summary", `What the scores of ${given.judge} rest on (${given.kind})`, "strong"));
  const list = made("dl");
  for (const [name, score] of Object.entries(given.scores)) {
    const words = made("dd");
    words.dir = "auto";
    for (const piece of evidence(given.evidence[name] || "no words kept")) {
      if (piece.turn === undefined) {
        words.append(piece.text);
        continue;
      }
      const link = made("button", piece.text, "crumb");
      link.type = "button";
      link.setAttribute("aria-label", `Turn ${piece.turn}`);
      link.addEventListener("click", () => {
        go(place(episode.turns, piece.turn));
        root.scrollIntoView({ block: "start" });
      });
      words.append(link);
    }
    list.append(made("dt", `${name.replaceAll("_", " ")}: ${score ?? "missing"}`), words);
  }
  box.append(list);
  if (given.raw) {
    const raw = made("details");
    raw.append(made("summary", "The judge's answer as it came"), made("pre", given.raw));
    box.append(raw);
  }
  box.open = true;
  by("judgements").append(box);
}
const counting = episode.judgements.at(-1);
if (counting) by("judge-head").textContent = `Judge: ${counting.judge} (${counting.kind})`;
if (names.length === 0) by("ratings").append(made("tr", "Not rated yet."));
draw();
