// Turns the still pictures of figures into charts that answer the pointer; without it, the pictures stay.
const OPTIONS = { ast: true, renderer: "canvas", actions: false, defaultStyle: false, logLevel: 1 };

function bubble() {
  const box = document.createElement("div");
  box.className = "chart-tip";
  box.setAttribute("aria-hidden", "true");
  box.hidden = true;
  document.body.append(box);
  return box;
}

export function tipLines(value) {
  if (value === null || typeof value !== "object") return [String(value)];
  return Object.entries(value)
    .filter(([, shown]) => shown !== null && shown !== undefined)
    .map(([name, shown]) => `${name}: ${shown}`);
}

function tipHandler(box) {
  return (_handler, event, _item, value) => {
    box.hidden = value === null || value === undefined || value === "";
    if (box.hidden) return;
    box.replaceChildren(
      ...tipLines(value).map((line) => {
        const row = document.createElement("div");
        row.textContent = line;
        return row;
      }),
    );
    box.style.left = `${Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8)}px`;
    box.style.top = `${Math.min(event.clientY + 14, window.innerHeight - box.offsetHeight - 8)}px`;
  };
}

async function enliven(figure, box) {
  const still = figure.querySelector("img");
  const answer = await fetch(figure.dataset.spec, { credentials: "same-origin" });
  if (!answer.ok) return;
  const place = document.createElement("div");
  place.className = "chart";
  still.after(place);
  try {
    await window.vegaEmbed(place, await answer.json(), { ...OPTIONS, tooltip: tipHandler(box) });
    // Vega gives the place a role of its own, under which screen readers would walk through every mark.
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", still.alt);
    still.hidden = true;
    figure.dataset.live = "";
  } catch (error) {
    place.remove();
    console.warn("the chart stays a picture:", error);
  }
}

export function start(root = document) {
  if (typeof window.vegaEmbed !== "function") return;
  const box = bubble();
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      enliven(entry.target, box);
    }
  }, { rootMargin: "200px" });
  for (const figure of root.querySelectorAll("[data-spec]")) seen.observe(figure);
}

if (typeof document !== "undefined") start();
