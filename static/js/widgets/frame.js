// The frame: pictures as they come, and over the still one the outlines of what can be clicked.

import { element, polygon } from "../lib/dom.js";
import { centre, under } from "../lib/geometry.js";
import { MOVING, STILL } from "../lib/pictures.js";
import { afterPaint } from "../lib/drawing.js";
import { whereabouts } from "../lib/describe.js";

const FINGER_PX = 14;
const MOST_WAITING = 3;

// pick(things, { x, y }) is called with what was clicked, in pixels of the box around the frame; seen() when a
// still picture is on the screen, moved(number) when a moving one is or was left out, so that another may come. While
// no motion is wanted none is asked for; as soon as it is, the last that was left out is told of.
export function frame(box, { pick, seen = () => undefined, moved = () => undefined, calm = matchMedia("(prefers-reduced-motion: reduce)") }) {
  const canvas = box.querySelector("canvas");
  const overlay = box.querySelector("svg");
  const tip = box.querySelector("[data-tip]");
  const paint = canvas.getContext("2d");
  let things = [];
  let waiting = 0;
  let coming = 0;
  let chain = Promise.resolve();
  let shown = null;
  let lit = null;
  let unwanted = null;

  calm.addEventListener("change", () => {
    if (calm.matches || unwanted === null) return;
    moved(unwanted);
    unwanted = null;
  });

  async function put(picture) {
    const image = await createImageBitmap(picture.jpeg);
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width;
      canvas.height = image.height;
    }
    paint.drawImage(image, 0, 0);
    image.close();
    if (picture.kind !== MOVING) {
      shown = picture.number;
      canvas.dataset.frame = String(picture.number);
      if (performance.getEntriesByName("first-frame").length === 0) performance.mark("first-frame");
    }
  }

  function arrived() {
    coming -= 1;
    seen();
  }

  function light(thing) {
    if (thing === lit) return;
    lit = thing;
    overlay.replaceChildren(...(thing?.outlines ?? []).map((outline) => polygon(outline, "lit")));
    tip.hidden = !thing;
    if (!thing) return;
    tip.replaceChildren(element("b", { text: thing.name, translate: "no" }), element("span", { text: whereabouts(thing) }));
  }

  function place(x, y) {
    const right = x > box.clientWidth / 2;
    tip.style.left = right ? "auto" : `${x + 14}px`;
    tip.style.right = right ? `${box.clientWidth - x + 14}px` : "auto";
    tip.style.top = `${Math.max(4, Math.min(y - 12, box.clientHeight - tip.offsetHeight - 4))}px`;
  }

  function point(event) {
    const rect = canvas.getBoundingClientRect();
    const x = event.clientX - rect.left;
    const y = event.clientY - rect.top;
    const scale = canvas.width / rect.width;
    return { x, y, hits: under(things, x * scale, y * scale, event.pointerType === "touch" ? FINGER_PX * scale : 2) };
  }

  box.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || !event.target.closest("canvas, svg")) return;
    const { x, y, hits } = point(event);
    light(hits[0] ?? null);
    place(x, y);
    canvas.classList.toggle("can-click", hits.length > 0);
  });
  box.addEventListener("pointerleave", () => light(null));
  box.addEventListener("click", (event) => {
    if (!event.target.closest("canvas, svg")) return;
    const { x, y, hits } = point(event);
    if (hits.length) {
      light(hits[0]);
      place(x, y);
      pick(hits, { x, y });
    } else light(null);
  });

  return {
    get shown() {
      return shown;
    },
    picture(picture) {
      const moving = picture.kind === MOVING;
      if (moving && calm.matches) {
        unwanted = picture.number;
        return;
      }
      if (moving && waiting >= MOST_WAITING) return moved(picture.number);
      waiting += 1;
      if (picture.kind === STILL) coming += 1;
      chain = chain.then(() => put(picture)).catch(() => undefined).then(() => {
        waiting -= 1;
        if (moving) moved(picture.number);
        if (picture.kind === STILL) afterPaint(arrived);
      });
    },
    // Whether a still picture is on its way to the screen: whatever else there is to draw can wait for it.
    get coming() {
      return coming > 0;
    },
    things(list, { width, height }) {
      things = list;
      overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
      light(null);
    },
    // Shows where a thing of the list is; null puts the light out.
    show(thing) {
      light(thing);
      const middle = thing && centre(thing);
      if (!middle) {
        tip.hidden = true;
        return;
      }
      const scale = canvas.clientWidth / canvas.width;
      place(middle[0] * scale, middle[1] * scale);
    },
    busy(on) {
      box.toggleAttribute("data-busy", on);
      if (on) light(null);
    },
  };
}
