import { expect, test } from "vitest";
import { findPhoneNumbers, toPlainDigits } from "./phone-numbers.ts";

/** Characters that may be between the halves of a number. */
const separators = " -.·\n\u00a0\u202f\u2009\u200b\u00ad\u2010\u2011\u2012\u2013\u2014\u2212\uff0d";

/** Each form, and what it dials. */
const numbers: [label: string, forms: string[], dialed: string][] = [
  [
    "an Indian mobile number",
    [
      "9876543210",
      ...Array.from(separators, (between) => `98765${between}43210`),
      "9876 543 210",
      "987 654 3210",
      "987-654-3210",
      "98 7654 3210",
      "98-76-54-32-10",
      "98765 - 43210",
      "(98765) 43210",
      "098765 43210",
      "0 98765 43210",
      "0-98765-43210",
      "(0)98765 43210",
      "(0) 98765-43210",
    ],
    "+919876543210",
  ],
  [
    "an Indian mobile number with its country code",
    [
      "+919876543210",
      "+91 98765 43210",
      "+91-98765-43210",
      "+91-9876543210",
      "+91.98765.43210",
      "+91 (0)98765 43210",
      "+91 (0) 98765 43210",
      "+91 098765 43210",
      "(+91) 98765 43210",
      "(+91)98765-43210",
      "+(91) 98765 43210",
      "[+91] 98765 43210",
      "+ 91 98765 43210",
      "＋91 98765 43210",
      "+91\u201198765\u201143210",
      "+91–98765–43210",
      "+91 987 654 3210",
      "0091 98765 43210",
      "0091-9876543210",
      "00919876543210",
      "919876543210",
      "91 98765 43210",
      "91-98765-43210",
    ],
    "+919876543210",
  ],
  [
    "digits of another script",
    [
      "९८७६५४३२१०",
      "९८७६५ ४३२१०",
      "+९१ ९८७६५ ४३२१०",
      "৯৮৭৬৫ ৪৩২১০",
      "੯੮੭੬੫ ੪੩੨੧੦",
      "૯૮૭૬૫ ૪૩૨૧૦",
      "୯୮୭୬୫ ୪୩୨୧୦",
      "௯௮௭௬௫ ௪௩௨௧௦",
      "౯౮౭౬౫ ౪౩౨౧౦",
      "೯೮೭೬೫ ೪೩೨೧೦",
      "൯൮൭൬൫ ൪൩൨൧൦",
      "۹۸۷۶۵ ۴۳۲۱۰",
      "٩٨٧٦٥ ٤٣٢١٠",
      "꯹꯸꯷꯶꯵ ꯴꯳꯲꯱꯰",
      "᱙᱘᱗᱖᱕ ᱔᱓᱒᱑᱐",
      "９８７６５４３２１０",
      "＋９１　９８７６５－４３２１０",
      "𝟗𝟖𝟕𝟔𝟓 𝟒𝟑𝟐𝟏𝟎",
      "९8७6५4३2१0",
    ],
    "+919876543210",
  ],
  [
    "a landline of a metro",
    [
      "022 2345 6789",
      "022-23456789",
      "022 23456789",
      "02223456789",
      "(022) 2345 6789",
      "(022)23456789",
      "(022) 2345-6789",
      "022/2345 6789",
      "022 / 23456789",
      "०२२-२३४५६७८९",
      "(0)22 2345 6789",
      "0 22 2345 6789",
      "+91 22 2345 6789",
      "+91-22-23456789",
      "+91 (22) 2345 6789",
      "+91 (0)22 2345 6789",
      "+91 (022) 2345 6789",
      "0091 22 2345 6789",
      "91 22 2345 6789",
      "91-22-23456789",
    ],
    "+912223456789",
  ],
  [
    "a landline with an area code of three digits",
    ["0172 234 5678", "0172-2345678", "(0172) 2345678", "0172/2345678", "+91 172 234 5678"],
    "+911722345678",
  ],
  [
    "a landline with an area code of four digits",
    ["04172 234567", "04172-234567", "(04172) 234 567", "04172/234567", "+91 4172 234567"],
    "+914172234567",
  ],
  [
    "a toll-free number",
    ["1800 123 4567", "1800-123-4567", "18001234567", "1-800-123-4567", "+91 1800 123 4567"],
    "18001234567",
  ],
  ["a toll-free number of ten digits", ["1800 11 4000", "1800-114-000"], "1800114000"],
  ["a toll-free number of eight digits", ["1800 1234", "1800-1234"], "18001234"],
  ["a number at local rates", ["1860 500 1234", "1860-500-1234"], "18605001234"],
  [
    "an American number",
    ["+1 415 555 2671", "+1 (415) 555-2671", "+1-415-555-2671", "001 415 555 2671"],
    "+14155552671",
  ],
  [
    "a British number",
    ["+44 20 7946 0958", "+442079460958", "(+44) 20 7946 0958", "0044 20 7946 0958"],
    "+442079460958",
  ],
  ["a number of the Emirates", ["+971 50 123 4567", "00971 50 123 4567"], "+971501234567"],
  ["a number of Singapore", ["+65 6123 4567", "+65-6123-4567"], "+6561234567"],
  ["a German number", ["+49 30 901820", "+49.30.901820"], "+4930901820"],
];

const forms = numbers.flatMap(([label, written, dialed]) =>
  written.map((form) => [label, form, dialed] as const),
);

test.each(forms)("%s is found: %j", (_label, form, dialed) => {
  // After other digits, "001" can be the end of a postal code.
  const numbersBefore = form.startsWith("00") ? [] : [`Pune 411001 ${form}`, `2019 ${form}`];
  for (const text of [
    form,
    `Call Anu (${form}).`,
    `anu@a.example, ${form} (11 to 5)`,
    `Meera Iyer\n${form}\nPune`,
    ...numbersBefore,
  ]) {
    const found = findPhoneNumbers(text);
    expect(found.map((number) => number.dialed)).toEqual([dialed]);
    expect(text.slice(found[0]!.start, found[0]!.end)).toBe(form);
    const start = text.indexOf(form);
    expect(hide(text).slice(start, start + form.length)).not.toMatch(/\p{Nd}/u);
  }
});

function hide(text: string): string {
  const letters = text.split("");
  for (const { start, end } of findPhoneNumbers(text, "wide")) letters.fill("█", start, end);
  return letters.join("");
}

test.each([
  ["two numbers", "98765 43210 / 022 2345 6789", 2],
  ["two numbers without anything between", "98765 43210 98765 43211", 2],
  ["two numbers with a slash", "98765 43210/98765 43211", 2],
  ["two numbers with a comma", "9876543210,9876543211", 2],
  ["two numbers with a plus", "+919876543210+919876543211", 2],
  ["two numbers on lines", "98765 43210\n98765 43211", 2],
  ["two numbers with a hyphen", "9876543210-9876543211", 2],
  ["a postal code with a space", "Bengaluru 560 001 98765 43210", 1],
  ["a number with letters for its extension", "080-23456789 ext 12", 1],
  ["a number with x for its extension", "080-23456789x12", 1],
  ["a number with an alternate ending", "98765 43210/11", 1],
])("%s: %s", (_label, text, count) => {
  expect(findPhoneNumbers(text)).toHaveLength(count);
});

test.each([
  ["an amount", "₹9876543210"],
  ["an amount", "Rs. 9876543210"],
  ["an amount", "INR 9876543210"],
  ["a range of pay", "₹12,00,000–18,00,000"],
  ["a range of pay", "12,00,000"],
  ["a range of pay", "60000-80000"],
  ["a range of pay", "65000 – 85000 per month"],
  ["a range of pay", "70,000 - 90,000"],
  ["a range of pay", "7.5-9.5 LPA"],
  ["a range of pay", "600000 - 900000"],
  ["a range of pay", "80000-100000"],
  ["years", "2019-2023"],
  ["years", "2019 – 2023"],
  ["years", "2016 2018 2020 and 2022"],
  ["years", "2019 2020 21"],
  ["years", "between 1998 2008 2018"],
  ["months", "8.2019 - 1.2021"],
  ["months", "08.2019 - 01.2021"],
  ["months", "6 2019 - 7 2021"],
  ["months", "06-2019 06-2021"],
  ["dates", "Ref 2026-11-25"],
  ["dates", "2026-11-25 10:30"],
  ["dates", "12-05-2023 10:30"],
  ["dates", "12.05.2023 – 11.06.2024"],
  ["dates", "01/02/2023 - 03/04/2024"],
  ["dates", "9 12 2019 12"],
  ["a postal code", "400 001 Mumbai"],
  ["a postal code", "Chennai 600001"],
  ["a postal code and a year", "Chennai 600001 2019"],
  ["a postal code and a year", "Chennai 600001-2019"],
  ["an Aadhaar number", "6789 0123 4567"],
  ["an Aadhaar number", "9123 4567 8901"],
  ["an Aadhaar number", "9198-7654-3210"],
  ["a card number", "4111 1111 1111 1111"],
  ["a card number", "1234 5678 9012 3456"],
  ["a card number", "9198 7654 3210 1234"],
  ["an id", "REF9876543210"],
  ["an id", "JOB_9876543210"],
  ["an id", "Order #9876543210"],
  ["an id", "Order no. 9876543210"],
  ["an id", "Ref: 9876543210"],
  ["an id", "Req ID 9876543210"],
  ["an id", "98765432101234"],
  ["an id", "2019-9876543210"],
  ["an id", "9876543210-1"],
  ["an id", "9876543210_a"],
  ["an id", "9876543210abc"],
  ["an id", "1111-98765-43210-2"],
  ["an id", "2223456789"],
  ["an id", "4012345678"],
  ["an id", "0012345678"],
  ["an ISBN", "978-3-16-148410-0"],
  ["a tax number", "29ABCDE1234F1Z5"],
  ["a decimal", "9876543210.55"],
  ["a decimal", "0.9876543210"],
  ["a version", "10.2.45.678"],
  ["an IP address", "192.168.100.200"],
  ["a time", "10:30-18:30"],
  ["a ratio", "98765:43210"],
  ["few digits", "Room 12, floor 3"],
  ["few digits", "Figma 2, 3 and 4"],
  ["few digits", "98765"],
  ["percents", "98% 76% 54% 32% 10%"],
  ["scattered digits", "9 8 7 6 5 4 3 2 1 0"],
  ["no digits", "+ ( - ."],
  ["a short number with a plus", "+91 98765"],
])("%s is no phone number: %s", (_label, text) => {
  expect(findPhoneNumbers(text)).toEqual([]);
});

test.each([
  ["a range that may be a number", "98000-98100"],
  ["an Aadhaar number that may be a number", "9198-7654-3210"],
  ["digits beside letters", "Mob9876543210Email"],
  ["a landline without its zero", "80 2345 6789"],
  ["a landline without its zero", "80-23456789"],
  ["a landline without its zero", "(172) 234 5678"],
  ["a landline without its zero", "4172-234567"],
  ["a landline without its area code", "Tel: 2345 6789"],
  ["a landline without its area code", "☎ 2345678"],
  ["a landline without its area code", "फ़ोन: २३४५ ६७८९"],
  ["a foreign number without its code", "(415) 555-2671"],
  ["a foreign number without its code", "415-555-2671"],
  ["a number with too few digits", "+91 98765 4321"],
  ["digits that are apart", "9 8 7 6 5 4 3 2 1 0"],
  ["words of a page", "+91 98\n765 432\n10"],
  ["an id that may be a number", "Ref: 9876543210"],
  ["an alternate ending", "022 2345 6789 / 90"],
  ["alternate endings", "022 2345 6789/90/91"],
  ["an extension", "080 2345 6789 extn. 123"],
  ["an extension", "080 2345 6789, ext 123"],
  ["an extension", "080 2345 6789x123"],
])("nothing of %s is left: %s", (_label, text) => {
  expect(hide(text)).not.toMatch(/\p{Nd}/u);
});

test.each([
  "2019 – 2023",
  "Aug 2019 - Jan 2021",
  "08.2019 - 01.2021",
  "Pune 411001",
  "12 projects, 400+ screens",
])("nothing of %j is hidden", (text) => {
  expect(hide(text)).toBe(text);
});

test("digits of every script become plain ones", () => {
  const scripts = Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => /\p{Nd}/u.test(letter),
  );
  expect(scripts.length % 10).toBe(0);
  expect(toPlainDigits(scripts.join(""))).toBe("0123456789".repeat(scripts.length / 10));
});

test.each([
  "9",
  "1 ",
  "98765 ",
  "9(",
  "+9",
  "+91 ",
  "0 0-",
  "1/",
  "022/",
  "९ ",
  "𝟗 ",
  "Ph: 1 ",
  " x1",
  "-",
])("a huge text of %j is read completely, up to the number at its end", (unit) => {
  const text = `${unit.repeat(200_000 / unit.length)}, +91 98765 43210`;
  for (const strictness of ["exact", "wide"] as const) {
    const found = findPhoneNumbers(text, strictness);
    expect(found.some(({ end }) => end === text.length)).toBe(true);
  }
});
