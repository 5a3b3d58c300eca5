import { expect, test } from "vitest";
import { questions } from "./questions.tsx";

test("the FAQ has eight questions, each once", () => {
  expect(new Set(questions.map(({ question }) => question)).size).toBe(8);
});
