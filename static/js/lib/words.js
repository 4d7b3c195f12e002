// Words on the page in the reader's language. The catalog, when there is one, is loaded before the modules.

// Scripts written from right to left. A name in one would take the numbers after it along to its other side.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

function kept(value) {
  const text = String(value);
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

function filled(text, values) {
  return values ? text.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? kept(values[name]) : whole)) : text;
}

export function gettext(text, values) {
  const found = globalThis.django?.gettext ? globalThis.django.gettext(text) : text;
  return filled(found, values);
}

export function ngettext(one, many, count, values) {
  const own = count === 1 ? one : many;
  const found = globalThis.django?.ngettext ? globalThis.django.ngettext(one, many, count) : own;
  return filled(found, { count, ...values });
}

export function number(value, digits = 0) {
  const language = globalThis.document?.documentElement.lang || "en";
  return new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

export function money(value) {
  const language = globalThis.document?.documentElement.lang || "en";
  return new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(value);
}
