import { expect, test } from "vitest";
import { listMissing } from "./support/inventory/missing.ts";

test("the inventory has every screen, form and command (npm run missing)", () => {
  expect(listMissing()).toEqual([]);
});
