import { expect, test } from "vitest";
import { cleanText } from "./staff-rules.ts";

test("a text is kept with one kind of line end and without what a database refuses", () => {
  expect(cleanText("one\r\ntwo\rthree\u0000")).toBe("one\ntwo\nthree");
});
