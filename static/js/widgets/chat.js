// The talk: one line per message, drawn by index, so that what comes twice shows once.

import { changes } from "../lib/drawing.js";
import { element, icon, said } from "../lib/dom.js";
import { capital, doing, happened } from "../lib/describe.js";
import { gettext } from "../lib/words.js";

const NARROW = "(max-width: 1000px)";

export function chat(list, { name }) {
  const prints = new WeakMap();
  const changed = changes();
  let atEnd = true;
  let top = 0;

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

  // To the newest line; where it is all there is to see, to its beginning.
  function end() {
    const only = matchMedia(NARROW).matches && !list.closest("[data-open]");
    list.scrollTop = only ? 0 : list.scrollHeight;
    top = list.scrollTop;
  }

  // The news of a scroll may come after a change of size: only where the place moved has anybody read elsewhere.
  list.addEventListener("scroll", () => {
    if (list.scrollTop === top) return;
    top = list.scrollTop;
    atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  });
  // A warning under the talk takes room from it: whoever reads the newest line goes on reading it.
  new ResizeObserver(() => atEnd && end()).observe(list);

  return {
    end,
    show(lines) {
      if (!changed(lines)) return;
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
      if (grew && (atEnd || known.size === 0)) end();
    },
  };
}
