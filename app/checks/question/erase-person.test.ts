import { expect, test } from "vitest";
import { listPersonTexts, createEraser } from "./erase-person.ts";

const email = "leela.menon@acme.example";
const { eraseText, eraseState } = createEraser({
  email,
  names: ["Leela Menon", "Dara", "Design Team", "A"],
  phones: ["+91 98765-43210"],
});

test.each([
  ["Write to leela.menon@acme.example.", "Write to (removed)."],
  ["Write to <Leela.Menon@ACME.example>", "Write to <(removed)>"],
  ["mailto:leela.menon@acme.example?subject=Hi", "mailto:(removed)?subject=Hi"],
  ["Ask LEELA  MENON, or Dara.", "Ask (removed), or (removed)."],
  ["Leela\nMenon", "(removed)"],
  ["See https://a.example/?to=leela.menon%40acme.example&x=1 now", "See (removed) now"],
  ["See https://a.example/?name=Leela+Menon now", "See (removed) now"],
  ["mailto:%6Ceela.menon%40acme.example", "(removed)"],
  ["Leela&#32;Menon, leela.menon&#64;acme.example", "(removed) (removed)"],
  ["leela.menon＠acme.example", "(removed)"],
  [
    "Call 98765 43210 or +919876543210 or 0091-(98765) 43210",
    "Call (removed) or (removed) or (removed)",
  ],
  ["Call ९८७६५ ४३२१०, 987‑654‑3210 or 98765–43210", "Call (removed), (removed) or (removed)"],
])("%j becomes %j", (text, left) => {
  expect(eraseText(text)).toBe(left);
});

test.each([
  "x.leela.menon@acme.example",
  "leela.menon@acme.example.org",
  "leela.menon@acme.examples",
  "Leelavati Menon",
  "in dara and Darashikoh",
  "Our design team draws.",
  "A designer",
  "198765432101",
])("%j stays as it is", (text) => {
  expect(eraseText(text)).toBe(text);
});

test("a state loses the fields of the contact, and only them", () => {
  const state = {
    title: "Type Designer",
    pocName: "L. M.",
    pocContact: `Leela <${email}> or Instagram @leela`,
    checkEmail: null,
    quotes: [{ text: "Ask Leela Menon" }, 7, null],
  };
  expect(eraseState(state)).toEqual({
    title: "Type Designer",
    pocName: "(removed)",
    pocContact: "(removed)",
    checkEmail: null,
    quotes: [{ text: "Ask (removed)" }, 7, null],
  });
});

test("another person's contact stays", () => {
  const state = { pocName: "Ravi Nair", pocContact: "ravi@acme.example" };
  expect(eraseState(state)).toEqual(state);
});

test("names and numbers come from states with the address, and names also from states without any", () => {
  const { names, phones } = listPersonTexts(email, [
    { pocName: "Leela Menon", pocContact: `${email} / 98765 43210` },
    { pocName: "Leela M", checkEmail: email.toUpperCase() },
    { pocName: "Leela" },
    { pocName: "Ravi", pocContact: "ravi@acme.example / 98765 00000" },
    { title: "Type Designer" },
    null,
    "text",
  ]);
  expect(names).toEqual(["Leela Menon", "Leela M", "Leela"]);
  expect(phones).toEqual(["98765 43210"]);
});
