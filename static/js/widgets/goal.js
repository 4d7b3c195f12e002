// The goal and the budget, at hand all the time.

import { gettext, money } from "../lib/words.js";

export function goalCard(box) {
  const text = box.querySelector("[data-goal-text]");
  const budget = box.querySelector("[data-goal-budget]");
  return {
    show(goal) {
      if (!goal || text.dataset.for === goal.text) return;
      text.dataset.for = goal.text;
      text.textContent = goal.text;
      budget.textContent = gettext("Budget %(money)s", { money: money(goal.budget) });
    },
  };
}
