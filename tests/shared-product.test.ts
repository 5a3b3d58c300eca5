import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** A delete without `.where`. */
const everyRow = /\.delete\(\w+\)\s*[;,)]/g;

test("no journey deletes every row of a table, since others share its product", () => {
  const files = globSync("tests/journeys/**/*.ts");
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(everyRow)].map(([code]) => `${file}: ${code}`),
  );
  expect(found).toEqual([]);
});

test("a delete of every row is found, one of some rows isn't", () => {
  expect("await db.delete(mails);").toMatch(everyRow);
  expect("await db.delete(mails).where(eq(mails.id, id));").not.toMatch(everyRow);
});
