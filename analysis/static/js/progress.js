// Says how far results are that are still being computed, and opens them, or offers to, when they are there.
const EVERY_MS = 2000;

export function draw(box, found, reload) {
  box.querySelector("[data-words]").textContent = found.words;
  const bar = box.querySelector("progress");
  if (bar && found.total > 0) {
    bar.max = found.total;
    bar.value = found.done;
  }
  if (!found.ready) return !found.fault;
  // Numbers that somebody is reading must not change under their eyes.
  if ("reload" in box.dataset) reload();
  else box.querySelector("[data-ready]").hidden = false;
  return false;
}

export function watch(box, { ask = fetch, later = setTimeout, reload = () => location.reload() } = {}) {
  const look = async () => {
    let goOn = true;
    try {
      const answer = await ask(box.dataset.progress, { credentials: "same-origin" });
      if (answer.ok) goOn = draw(box, await answer.json(), reload);
    } catch {
      // The line may be back by the next look.
    }
    if (goOn) later(look, EVERY_MS);
  };
  later(look, EVERY_MS);
}

if (typeof document !== "undefined") for (const box of document.querySelectorAll("[data-progress]")) watch(box);
