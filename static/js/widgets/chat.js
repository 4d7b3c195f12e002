// The talk: one line per message, drawn by index, so that what comes twice shows once.

import { changes } from "../lib/drawing.js";
import { element, icon, said } from "../lib/dom.js";
import { capital, doing, happened } from "../lib/describe.js";
import { gettext } from "../lib/words.js";

const MARGIN = 8;
const NEAR = 60;

export function chat(room, { name }) {
  const list = room.firstElementChild;
  const prints = new WeakMap();
  const changed = changes();

  function speaker(line) {
    return line.speaker === "assistant" ? name : gettext("You");
  }

  function bubble(line) {
    const item = element("div", { className: `line line-${line.speaker}`, data: { index: line.index } });
    item.append(element("span", { className: "line-who", text: speaker(line) }));
    if (line.text) item.append(said("p", line.text, "line-text"));
    if (line.deed) {
      const text = line.deed.ok === null || line.deed.ok === undefined ? capital(doing(line.deed, line.deed.name)) : happened(line.deed);
      item.append(element("p", { className: "line-deed" }, icon("footprints", "icon icon-s"), element("span", { text })));
    }
    return item;
  }

  // The room counts its place from the newest line (chat.css), so the browser itself keeps that line in sight whatever
  // grows or shrinks around it. Where one line is all there is to see, it counts from the beginning of that.
  let place = 0;

  // To the newest line; one with more to read than the room holds is read from its beginning.
  function end() {
    room.scrollTop = 0;
    const above = list.lastElementChild ? list.lastElementChild.getBoundingClientRect().top - room.getBoundingClientRect().top - MARGIN : 0;
    place = Math.min(0, above);
    if (place) room.scrollTop = place;
  }

  // Who was there stays there when the room gets another height, by a warning below it or the window.
  new ResizeObserver(() => {
    const furthest = Math.min(0, room.clientHeight - room.scrollHeight);
    if (Math.abs(room.scrollTop - Math.max(place, furthest)) < 2) end();
  }).observe(room);

  return {
    end,
    show(lines) {
      if (!changed(lines)) return;
      const atEnd = room.scrollTop > place - NEAR;
      const known = new Map([...list.children].map((child) => [child.dataset.index, child]));
      let grew = false;
      for (const line of lines) {
        const print = JSON.stringify(line);
        const old = known.get(String(line.index));
        if (old && prints.get(old) === print) continue;
        const fresh = bubble(line);
        prints.set(fresh, print);
        if (old) old.replaceWith(fresh);
        else list.append(fresh);
        grew = true;
      }
      const indexes = new Set(lines.map((line) => String(line.index)));
      for (const [index, child] of known) if (!indexes.has(index)) child.remove();
      if (grew && atEnd) end();
    },
  };
}
