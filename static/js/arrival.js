// The look at one's device before anything is asked or recorded.

import { element, icon } from "./lib/dom.js";
import { checkDevice } from "./lib/device.js";

const list = document.querySelector("[data-checks]");
const start = document.querySelector("[data-start]");

if (list) {
  const found = checkDevice(globalThis);
  list.replaceChildren(
    ...found.map(({ kind, title, note }) =>
      element(
        "li",
        { className: kind },
        icon(kind === "good" ? "circle-check" : kind === "warn" ? "triangle-alert" : "circle-alert"),
        element("span", { className: "strong", text: title }),
        note ? element("p", { className: "muted", text: note }) : null,
      ),
    ),
  );
  if (found.some((one) => one.kind === "bad")) start?.setAttribute("disabled", "");
}
