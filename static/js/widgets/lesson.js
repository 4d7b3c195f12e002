// The practice's list of things to try, ticked off as they are done.

import { tried } from "../lib/lesson.js";

export function lesson(list) {
  return {
    show(lines) {
      if (!list) return;
      const done = tried(lines);
      for (const item of list.children) item.toggleAttribute("data-done", done.has(item.dataset.goalName));
    },
  };
}
