import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the files of app/ui/router are written for the installed React Router", () => {
  const file = readFileSync("node_modules/react-router/package.json", "utf8");
  const { version } = JSON.parse(file) as { version: string };
  expect(version, "Check what each of these files relies on, then change this version.").toBe(
    "8.4.0",
  );
});
