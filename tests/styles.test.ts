import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { readBuiltStyles } from "./support/product/built-styles.ts";
import { classesOf, classesStyledBy } from "./support/source/classes.ts";

const screens = globSync("app/**/*.tsx").filter(
  // Emails carry their own styles.
  (file) =>
    !/\.test\.tsx$|^app\/mail\/|(\/|-)emails(\.server)?\.tsx$|\/digest\.server\.tsx$/.test(file),
);

test("every class of a component has a rule in a style sheet", () => {
  const styled = classesStyledBy(readBuiltStyles());
  const classes = screens.flatMap((file) => classesOf(file).map((name) => ({ file, name })));
  expect(classes.length).toBeGreaterThan(500);
  expect(classes.filter(({ name }) => !styled.has(name))).toEqual([]);
});
