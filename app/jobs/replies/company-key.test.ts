import { expect, test } from "vitest";
import { toCompanyKey } from "./company-key.ts";

const keyOf = (company: string) => toCompanyKey({ companyId: null, company });

test.each([
  "Kite Works",
  "  KITE  WORKS ",
  "Kite\u00a0Works",
  "Kite Works Pvt Ltd",
  "Kite Works Pvt. Ltd.",
  "Kite Works Private Limited",
  "Kite Works (P) Ltd.",
  "Kite Works, LLP",
  "Kite Works OPC Pvt Ltd",
])("%j is one company with its other spellings", (company) => {
  expect(keyOf(company)).toBe("name:kite works");
});

test.each([
  ["Kite Work", "name:kite work"],
  ["Kite Private", "name:kite private"],
  ["Team P", "name:team p"],
  ["Limited", "name:limited"],
  ["Limited Edition", "name:limited edition"],
  ["नक़्शा", `name:${"नक़्शा".normalize("NFKC")}`],
  ["!!!", "name:!!!"],
])("%j is %j", (company, key) => {
  expect(keyOf(company)).toBe(key);
});

test("a company with a page is known by its id, which no name can be", () => {
  const companyId = "6f8f1c5e-5a86-4ffb-94b7-b20d6bb1f3d0";
  const key = toCompanyKey({ companyId, company: "Kite Works" });
  expect(key).toBe(`company:${companyId}`);
  expect(keyOf(key)).not.toBe(key);
});
