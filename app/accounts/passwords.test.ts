import { verify } from "@node-rs/argon2";
import * as bcrypt from "@node-rs/bcrypt";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { givePassword, people } from "../../tests/support/rows/people.ts";
import { signInAgain } from "./sign-in/sign-in.server.ts";
import { resetForm, signInForm, signUpForm } from "./forms.server.ts";
import {
  findMatchingForm,
  hashPassword,
  isCommonPassword,
  needsRehash,
  verifyPassword,
} from "./passwords.server.ts";
import { accounts } from "./tables.server.ts";

const { db } = await testDatabase();

/** Passwords in the different forms that keyboards write. */
const written = {
  é: ["Caf\u00e9 noir", "Cafe\u0301 noir"],
  क़: ["\u0958\u093c\u0932\u092e 12345", "\u0915\u093c\u093c\u0932\u092e 12345"],
  "ड़ and é": ["\u092a\u0947\u095c \u00e9 12345", "\u092a\u0947\u0921\u093c e\u0301 12345"],
  য়: ["\u09b8\u09ae\u09df 12345", "\u09b8\u09ae\u09af\u09bc 12345"],
  Hangul: ["\ud55c\uad6d 12345", "\u1112\u1161\u11ab\u1100\u116e\u11a8 12345"],
  "marks in another order": ["q\u0323\u0307 12345", "q\u0307\u0323 12345"],
} as const;
const pairs = Object.entries(written).flatMap(([name, [one, other]]) => [
  { name, chosen: one, typed: other },
  { name, chosen: other, typed: one },
]);

test.each(pairs)("a password with $name opens the account on every keyboard", async (pair) => {
  const { chosen, typed } = pair;
  expect(chosen).not.toBe(typed);
  const stored = await hashPassword(chosen);
  expect(await verifyPassword(stored, typed)).toBe(true);
  expect(needsRehash(stored, (await findMatchingForm(stored, typed))!)).toBe(false);
  expect(await verifyPassword(stored, `${typed}!`)).toBe(false);
});

/** The pairs whose typed form can be derived; a mixed order of marks can't. */
const known = pairs.filter(({ name }) => name !== "marks in another order");

test.each(known)("an imported hash of a password with $name is replaced", async (pair) => {
  const { chosen, typed } = pair;
  const { asha } = await people(db);
  await givePassword(db, asha, await bcrypt.hash(chosen, 4));
  await signInAgain(db, asha, typed, {});
  const [account] = await db.select().from(accounts).where(eq(accounts.userId, asha.id));
  expect(await findMatchingForm(account!.password, typed)).toBe(typed.normalize("NFC"));
  await signInAgain(db, asha, chosen, {});
});

test("an imported password typed as it was stored matches, in any order of its marks", async () => {
  const typed = "q\u0307\u0323 12345";
  const stored = await bcrypt.hash(typed, 4);
  expect(await findMatchingForm(stored, typed)).toBe(typed);
});

test("a hash is replaced only if that changes something", async () => {
  const plain = "correct horse";
  const own = await hashPassword(plain);
  expect(needsRehash(own, plain)).toBe(false);
  const imported = await bcrypt.hash(plain, 4);
  expect(needsRehash(imported, plain)).toBe(true);
  expect(needsRehash(imported, "x".repeat(73))).toBe(false);
});

test("an unknown address takes as much work as a wrong password", async () => {
  const stored = await hashPassword("another one");
  for (const password of ["correct horse", written["ड़ and é"][0], written["ड़ and é"][1]]) {
    const workFor = async (storedHash: string | null) => {
      const work: string[] = [];
      await findMatchingForm(storedHash, password, false, async (hashed, form) => {
        // The algorithm with its memory and its turns.
        work.push(`${String(hashed).split("$").slice(1, 4).join(" ")}: ${String(form)}`);
        return verify(hashed, form);
      });
      return work;
    };
    const work = await workFor(stored);
    expect(work[0]).toBe(`argon2id v=19 m=19456,t=2,p=1: ${password.normalize()}`);
    expect(await workFor(null), password).toEqual(work);
  }
});

test("new passwords are compared and checked in their composed form", () => {
  const terms = "on";
  const [one, other] = written["é"];
  const signUp = (fields: object) =>
    signUpForm.safeParse({ fullName: "Asha", email: "asha@example.com", terms, ...fields });
  expect(signUp({ password: one, confirmPassword: other }).data?.password).toBe(one);
  // A Mac writes these four letters as eight code points.
  const short = "é".repeat(4).normalize("NFD");
  const refused = signUp({ password: short, confirmPassword: short });
  expect(refused.error?.issues[0]?.message).toContain("at least 8 characters");
  const reset = { password: "Caf\u00e9!1234", confirmPassword: "Cafe\u0301!1234", token_hash: "a" };
  expect(resetForm.safeParse(reset).success).toBe(true);
  // Composed, the letter é is not one of a to z.
  const onlyMarked = resetForm.safeParse({ ...reset, password: "e\u0301".repeat(7) + "A1!" });
  expect(JSON.stringify(onlyMarked.error?.issues)).toContain("lowercase");
});

test("a password of the maximum length is accepted in decomposed form too", () => {
  const longest = "한".repeat(200);
  const sent = { email: "asha@example.com", password: longest.normalize("NFD") };
  expect(signInForm.safeParse(sent).success).toBe(true);
  expect(signInForm.safeParse({ ...sent, password: "한".repeat(201) }).success).toBe(false);
});

test("a common password in full-width letters is still common", () => {
  expect(isCommonPassword("ｐａｓｓｗｏｒｄ")).toBe(true);
});
