import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { buildSignedId, parseSignedId } from "./signed-ids.server.ts";

const settings = { secret: "a secret of the test, long enough" };
const id = randomUUID();
const token = buildSignedId(settings, "report", id);
const parse = (text: string, purpose = "report") =>
  parseSignedId(settings, purpose, text, id.length);

test("a token gives back its id", () => {
  expect(parse(token)).toBe(id);
});

test("a token is invalid with another id, purpose or secret, or when it is cut short", () => {
  expect(parse(randomUUID() + token.slice(id.length))).toBeNull();
  expect(parse(token, "ticket")).toBeNull();
  expect(parseSignedId({ secret: "another" }, "report", token, id.length)).toBeNull();
  for (const text of [token.slice(0, -1), id, "", "none"]) expect(parse(text)).toBeNull();
});
