import assert from "node:assert/strict";
import { test } from "node:test";
import { facts } from "../../static/js/lib/details.js";

test("a product's facts are readable and leave nothing-values out", () => {
  const shown = facts({ price: 6.5, details: { allergens: ["fish", "tree_nuts"], organic: false, note: "", nutrition: { kcal: 120, protein_g: 18, salt_g: 0.5 } } });
  assert.deepEqual(shown, [["allergens", "fish, tree nuts"], ["organic", "no"], ["nutrition", "120 kcal, protein 18 g, salt 0.5 g"]]);
});

test("lengths side by side are dimensions with their unit", () => {
  assert.deepEqual(facts({ details: { dimensions_cm: [100, 40, 45.5] } }), [["dimensions", "100 × 40 × 45.5 cm"]]);
});

test("names of fields and numbers are in the reader's language, an item's own words never", () => {
  const german = { nutrition: "Nährwerte", protein: "Eiweiß", flavour: "Sorte", red: "rot" };
  globalThis.django = { gettext: (text) => german[text] ?? text };
  globalThis.document = { documentElement: { lang: "de" } };
  try {
    const shown = facts({ details: { flavour: "red", nutrition: { protein_g: 1.5 } } });
    assert.deepEqual(shown, [["Sorte", "red"], ["Nährwerte", "Eiweiß 1,5 g"]]);
  } finally {
    delete globalThis.django;
    delete globalThis.document;
  }
});
