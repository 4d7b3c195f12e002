// The practice's list of things to try, ticked off as they are done. On a small screen list and tools are
// longer than it is wide: what comes next is brought into view in both.

import { bring } from "../lib/dom.js";
import { tried } from "../lib/lesson.js";

const NEEDED = {
  walk: "[data-move=forward]",
  look: "[data-move=turn-left]",
  mark: "[data-opens=walkMenu]",
  take: "[data-opens=productMenu]:not([hidden])",
  talk: "[data-tool=idle]",
};

export function lesson(list, tools) {
  let shown = null;
  return {
    show(lines, mine) {
      if (!list) return;
      const done = tried(lines);
      for (const item of list.children) item.toggleAttribute("data-done", done.has(item.dataset.goalName));
      if (!mine) return; // the tools change with the turn; the last tick comes when there are no more turns
      const next = [...list.children].find((item) => !item.hasAttribute("data-done"));
      if (!next || next === shown) return;
      shown = next;
      bring(list, next);
      const tool = tools.querySelector(NEEDED[next.dataset.goalName]);
      if (!tool) return;
      bring(tools, tool.parentElement);
      bring(tools, tool);
    },
  };
}
