import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import {
  toAsciiDigits,
  cleanLine,
  cleanLines,
  cleanText,
  normalizeEmail,
  normalizeCode,
  toSearchForm,
} from "./text.ts";

const { db } = await testDatabase();

test("a text of several lines gets uniform line ends", () => {
  expect(cleanText("one\r\ntwo\rthree\u0000")).toBe("one\ntwo\nthree");
  // Word's line break within a paragraph, and those of web pages.
  expect(cleanText("one\u000btwo\u2028three\u0085four")).toBe("one\ntwo\nthree\nfour");
  expect(cleanLines("\ufeff\u00a0 one\u0007\n\n")).toBe("one");
});

const invisible = [
  ...Array.from(
    "\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e",
  ),
  ...Array.from(
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206f\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffc",
  ),
  "\u{e0001}",
  "\u{e0041}",
  "\u{e0100}",
];
const spaces = Array.from(
  "\u00a0\u1680\u2000\u2002\u2003\u2007\u2009\u200a\u202f\u205f\u3000\u2800",
);

test("invisible characters and unusual spaces are removed", () => {
  for (const mark of invisible) {
    const name = mark.codePointAt(0)!.toString(16);
    expect(cleanLine(`${mark}Bra${mark}nd ${mark}Designer${mark}`), name).toBe("Brand Designer");
  }
  for (const space of spaces) expect(cleanLine(`Brand${space}Designer`)).toBe("Brand Designer");
  expect(cleanLine(invisible.join(""))).toBe("");
  expect(cleanLine("Brand\r\nDesigner\u0007")).toBe("Brand Designer");
});

test("invisible characters that shape letters stay", () => {
  for (const shaped of [
    // Half letters and conjuncts of Devanagari, a chillu of Malayalam, a conjunct of Sinhala, Persian.
    "क्\u200dष",
    "क्\u200cष",
    "अവന്\u200d",
    "ක්\u200dෂ",
    "می\u200cخواهم",
    "👩🏽\u200d🎨",
    "👨\u200d👩\u200d👧\u200d👦",
    "❤\ufe0f\u200d🔥",
    "🏴\u200d☠\ufe0f",
    "🏳\ufe0f\u200d🌈",
    "1\ufe0f\u20e3",
    "☎\ufe0e",
    "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "葛\u{e0100}",
    "ᠮᠣᠩ\u180b",
  ])
    expect(cleanLine(shaped)).toBe(shaped);
  expect(cleanLine("क्\u200d\u200b\u200dष")).toBe("क्\u200dष");
});

test("letters are composed, except in web addresses", () => {
  const path = "https://example.com/re\u0301sume\u0301";
  expect(cleanText(`Cafe\u0301 ${path} cafe\u0301`)).toBe(`Café ${path} café`);
  expect(cleanText("\u0958लम")).toBe("\u0915\u093cलम");
  expect(cleanText("https://example.com/a\u200b")).toBe("https://example.com/a");
});

test("texts that look alike are equal in searches", () => {
  const expected = toSearchForm("Brand Designer");
  for (const mark of invisible) expect(toSearchForm(`Bra${mark}nd DESIGNER`)).toBe(expected);
  for (const space of spaces) expect(toSearchForm(`brand${space} ${space}designer`)).toBe(expected);
  expect(toSearchForm("Ｂｒａｎｄ\nDesigner")).toBe(expected);
  for (const dash of "‐‑‒–—−") expect(toSearchForm(`UX${dash}UI`)).toBe("ux-ui");
  for (const quote of "‘’′´`ʼ") expect(toSearchForm(`Asha${quote}s`)).toBe("asha's");
  expect(toSearchForm("“Senior”")).toBe('"senior"');
  expect(toSearchForm("\u0958लम")).toBe(toSearchForm("\u0915\u093cलम"));
  expect(toSearchForm("क्\u200dषमा")).toBe(toSearchForm("क्षमा"));
  expect(toSearchForm("ΣΑΣ")).toBe(toSearchForm("σας"));
});

test("codes and email addresses accept the letters and digits of any keyboard", () => {
  expect(normalizeCode(" १२३\u00a0४५६\u200b")).toBe("123456");
  expect(normalizeCode("１２３ ４５６")).toBe("123456");
  expect(normalizeCode("٣٤٥-𝟖𝟗০")).toBe("345890");
  expect(normalizeCode("abcd–efgh\u2011jkmn")).toBe("ABCDEFGHJKMN");
  expect(toAsciiDigits("२० years")).toBe("20 years");
  expect(normalizeEmail("\u200bAsha@Example.com\u00a0")).toBe("asha@example.com");
  expect(normalizeEmail("ａｓｈａ＠ｅｘａｍｐｌｅ．ｃｏｍ")).toBe("asha@example.com");
});

test("cleaning a text twice is the same as once", () => {
  for (const text of randomTexts(3000)) {
    const clean = cleanText(text);
    expect(cleanText(clean)).toBe(clean);
    expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
  }
});

test("the database and the browser fold texts the same way", async () => {
  const texts = randomTexts(3000);
  const { rows } = await db.execute<{ text: string; form: string }>(sql`
    select text, search_form(text) as form from unnest(${sql.param(texts)}::text[]) as t (text)`);
  expect(rows).toHaveLength(texts.length);
  for (const { text, form } of rows) expect(form, escape(text)).toBe(toSearchForm(text));
});

/** Creates short texts of relevant letters and one random letter of any script. */
function randomTexts(count: number): string[] {
  const telling = [
    ...invisible,
    ...spaces,
    ...Array.from("aBé e\u0301\u0323कक़ष्\u093cश\u0958한ﬁ½™ＡΣςİ‘“—-\n\t👩🏽🎨می% 1"),
  ];
  // The browser and the database may have different Unicode versions.
  const blocks = [
    [0x1, 0x7ff],
    [0x900, 0xbff],
    [0x1e00, 0x20bf],
    [0x2100, 0x2bff],
    [0x3000, 0x9fff],
    [0xac00, 0xd7a3],
    [0xf900, 0xffff],
    [0x1f000, 0x1f5ff],
  ] as const;
  let state = 1;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * most);
  };
  const letter = () => {
    if (below(4) > 0) return telling[below(telling.length)]!;
    const [first, last] = blocks[below(blocks.length)]!;
    const any = String.fromCodePoint(first + below(last - first + 1));
    return /\p{Cn}/u.test(any) ? "a" : any;
  };
  return Array.from({ length: count }, () => Array.from({ length: below(12) }, letter).join(""));
}

function escape(text: string): string {
  return Array.from(text, (letter) => letter.codePointAt(0)!.toString(16)).join(" ");
}
