import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { buildSignedId, hashText, listHashes, parseSignedId } from "./signed-ids.server.ts";

const settings = { secrets: ["a secret of the test, long enough"] };
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
  expect(parseSignedId({ secrets: ["another"] }, "report", token, id.length)).toBeNull();
  for (const text of [token.slice(0, -1), id, "", "none"]) expect(parse(text)).toBeNull();
});

test("after a new secret is added at the front, it signs, and older tokens and hashes stay valid", () => {
  const changed = { secrets: ["a newer secret of the test", ...settings.secrets] };
  expect(parseSignedId(changed, "report", token, id.length)).toBe(id);
  const newer = buildSignedId(changed, "report", id);
  expect(newer).not.toBe(token);
  expect(parse(newer)).toBeNull();
  expect(listHashes(changed, "contact", "asha@example.com")).toEqual([
    hashText(changed, "contact", "asha@example.com"),
    hashText(settings, "contact", "asha@example.com"),
  ]);
});
