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
  const help = document.createElement("td");
  if (person.help) help.append(pill("help", "warn"));
  line.append(
    head,
    cell("td", person.total ? `${person.step} ${person.number}/${person.total}` : person.step),
    cell("td", person.letter ? `${person.letter} (${person.assistant})` : ""),
    turn,
    cell("td", `${person.away ? "away, " : ""}${person.seconds} s ago`),
    help,
  );
  return line;
}

function show(state) {
  const focused = document.activeElement?.closest?.("#people a")?.textContent;
  body.replaceChildren(...state.people.map(row));
  if (focused) [...body.querySelectorAll("a")].find((link) => link.textContent === focused)?.focus();
  document.getElementById("nobody").hidden = state.people.length > 0;
  const figures = { inside: state.people.length, ...state };
  for (const figure of document.querySelectorAll("[data-live]")) figure.textContent = figures[figure.dataset.live];
  fresh.textContent = "Kept fresh every 3 seconds.";
}

refresh(body.dataset.state, 3000, show, (problem) => {
  fresh.textContent = `Not fresh: ${problem.message}. Trying again.`;
});
