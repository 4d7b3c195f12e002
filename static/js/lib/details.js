// What is known of a product, as [name, value] pairs. The names of fields are the page's own words; what a
// store's labels say (a flavour, a material) is an item's text and is never translated.

import { gettext, number } from "./words.js";

const gettext_noop = (text) => text;

// The fields the stores in the box have; another store's own fields show under their own names.
const NAMES = {
  allergens: gettext_noop("allergens"),
  color: gettext_noop("colour"),
  dimensions: gettext_noop("dimensions"),
  fat: gettext_noop("fat"),
  flavour: gettext_noop("flavour"),
  material: gettext_noop("material"),
  nutrition: gettext_noop("nutrition"),
  packaging: gettext_noop("packaging"),
  protein: gettext_noop("protein"),
  salt: gettext_noop("salt"),
  size: gettext_noop("size"),
  size_category: gettext_noop("size class"),
  style: gettext_noop("style"),
  sugar: gettext_noop("sugar"),
  use: gettext_noop("use"),
};
const WORDS = { true: () => gettext("yes"), false: () => gettext("no") };

export function facts(item) {
  const list = [];
  for (const [key, value] of Object.entries(item.details ?? {})) {
    if (value === null || value === "" || key === "price") continue;
    const { name, unit } = field(key);
    const shown = Array.isArray(value) ? many(value) : plain(value);
    if (shown) list.push([name, unit ? `${shown} ${unit}` : shown]);
  }
  return list;
}

// "protein_g" is protein in grams.
function field(key) {
  const [, bare, unit] = /^(.+)_(g|mg|ml|kg|l|cm|m)$/.exec(key) ?? [null, key, ""];
  return { name: bare in NAMES ? gettext(NAMES[bare]) : bare.replaceAll("_", " "), unit };
}

// Numbers side by side are lengths; words are a list.
function many(values) {
  return values.map(plain).join(values.every((value) => typeof value === "number") ? " × " : ", ");
}

function plain(value) {
  if (typeof value === "number") return number(value, decimals(value));
  if (value !== null && typeof value === "object") return Object.entries(value).map(measured).join(", ");
  return WORDS[String(value)]?.() ?? String(value).replaceAll("_", " ");
}

function measured([key, value]) {
  if (key === "kcal") return `${plain(value)} kcal`;
  const { name, unit } = field(key);
  return `${name} ${plain(value)}${unit ? ` ${unit}` : ""}`;
}

function decimals(value) {
  return (String(value).split(".")[1] ?? "").length;
}
