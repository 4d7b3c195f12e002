// The live monitor: who is where, kept fresh.
import { refresh } from "./lib/refresh.js";

const body = document.getElementById("people");
const fresh = document.getElementById("fresh");

function cell(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function pill(text, kind) {
  const made = cell("span", text);
  made.className = kind ? `pill pill-${kind}` : "pill";
  return made;
}

function row(person) {
  const line = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  const link = cell("a", person.code);
  link.href = body.dataset.watch.replace("CODE", encodeURIComponent(person.code));
  head.append(link);
  if (person.kind !== "human") head.append(" ", pill(person.kind));
  const turn = cell("td", person.letter ? String(person.turn) : "");
  turn.className = "num";
  const needs = document.createElement("td");
  if (person.help) needs.append(pill("help", "warn"));
  if (person.line) needs.append(pill(`place ${person.line} in line`));
  line.append(
    head,
    cell("td", person.where),
    cell("td", person.letter ? `${person.letter} (${person.assistant})` : ""),
    turn,
    cell("td", `${person.away ? "away, " : ""}${person.seconds} s ago`),
    needs,
  );
  return line;
}

function showBalance(positions) {
  for (const line of document.querySelectorAll("[data-balance] [data-assistant]")) {
    const counts = positions[line.dataset.assistant] ?? [];
    [...line.querySelectorAll("td")].forEach((spot, place) => (spot.textContent = counts[place] ?? 0));
  }
}

function show(state) {
  const focused = document.activeElement?.closest?.("#people a")?.textContent;
  body.replaceChildren(...state.people.map(row));
  if (focused) [...body.querySelectorAll("a")].find((link) => link.textContent === focused)?.focus();
  document.getElementById("nobody").hidden = state.people.length > 0;
  document.getElementById("inside").hidden = state.people.length === 0;
  for (const figure of document.querySelectorAll("[data-live]")) {
    figure.textContent = state.figures[figure.dataset.live];
    figure.closest("[data-alarm]")?.classList.toggle("tile-alarm", state.figures[figure.dataset.live] > 0);
  }
  const kinds = Object.entries(state.failures).map(([kind, count]) => `${count} × ${kind.replaceAll("_", " ")}`);
  document.getElementById("failures").textContent = kinds.length ? `: ${kinds.join(", ")}` : "";
  showBalance(state.positions);
  fresh.textContent = "Kept fresh every 3 seconds.";
}

refresh(body.dataset.state, 3000, show, (problem) => {
  fresh.textContent = `Not fresh: ${problem.message}. Trying again.`;
});
