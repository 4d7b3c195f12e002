// Small helpers for building the page. Text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

export function element(tag, { text, on, data, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name === "className" ? "class" : name, value === true ? "" : String(value));
  }
  Object.assign(made.dataset, data ?? {});
  for (const [event, listener] of Object.entries(on ?? {})) made.addEventListener(event, listener);
  if (text !== undefined) made.textContent = text;
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Words and attributes are written only when they are new: the same ones again cost the browser a new layout.
export function write(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// An attribute that is null is taken away.
export function mark(node, name, value) {
  if (node.getAttribute(name) === value) return;
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

export function icon(name, className = "icon") {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("class", className);
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${document.body.dataset.icons}#${name}`);
  drawing.append(use);
  return drawing;
}

export function polygon(points, className) {
  const shape = document.createElementNS(SVG, "polygon");
  shape.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  shape.setAttribute("class", className);
  return shape;
}

// Scroll a box that is longer than it is wide until all of this part of it is in view; the page stays where it is.
export function bring(box, part) {
  const room = box.getBoundingClientRect();
  const place = part.getBoundingClientRect();
  if (place.left < room.left || place.right > room.right) box.scrollBy({ left: place.left - room.left - 8 });
}

// Text from a person or an assistant, in any script, kept from rearranging what stands around it.
export function said(tag, text, className) {
  return element(tag, { text, className, dir: "auto", translate: "no" });
}
