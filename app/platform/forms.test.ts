import { expect, test } from "vitest";
import { z } from "zod";
import { readForm } from "./forms.server.ts";

test("a form is read without the character that no database text can hold", async () => {
  const body = new URLSearchParams({ address: "https://example.com/a\u0000b", note: "\u0000" });
  const request = new Request("http://localhost/", { method: "POST", body });
  const form = await readForm(request, z.object({ address: z.string(), note: z.string() }));
  expect(form).toMatchObject({ ok: true, value: { address: "https://example.com/ab", note: "" } });
});
