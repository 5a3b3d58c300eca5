import { expect, test } from "vitest";
import { z } from "zod";
import { createFieldLengthCheck, lines } from "./text-fields.server.ts";

test("the server accepts as much text as the field does", () => {
  const limited = lines.pipe(z.string().refine(createFieldLengthCheck(10)));
  // Sent as a browser does that counted ten characters.
  expect(limited.parse("a\r\nb\r\n📞📞📞")).toBe("a\nb\n📞📞📞");
  expect(limited.safeParse("a\r\nb\r\n📞📞📞c").success).toBe(false);
  expect(limited.parse(" a\u0000\rb ")).toBe("a\nb");
});
