import { cp, glob, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { openSession, getSessionCookieName } from "../app/accounts/session.server.ts";
import type * as App from "../server/app.ts";
import { testConfig } from "./support/product/config.ts";
import { testDatabase } from "./support/product/database.ts";
import { freePorts } from "./support/product/free-ports.ts";
import { visitorPages } from "./support/inventory/page-scripts.ts";
import { person } from "./support/rows/people.ts";

/**
 * Facts with one source that many texts repeat: the place in the built product, the change, and the text
 * expected before and after.
 */
const changes: { source: RegExp; to: string; before: RegExp; after: string }[] = [
  {
    source: /(combined_review: \{[^}]*turnaroundHours: )24\b/,
    to: "$136",
    before: /\b24 hours/,
    after: "36 hours",
  },
  {
    source: /(bucket: "resumes",\s*maxBytes: )10( \* megabyte)/,
    to: "$112$2",
    before: /\b10 ?MB/,
    after: "12 MB",
  },
  {
    source: /(bucket: "resumes",[^}]*kinds: \[\s*"pdf",\s*)"doc",\s*"docx"/,
    to: '$1"webp"',
    before: /PDF or Word document/,
    after: "PDF or WebP",
  },
  {
    source: /(bucket: "portfolios",[^}]*kinds: \[\s*"pdf",\s*)"png",\s*"jpg"/,
    to: '$1"gif"',
    before: /PDF, PNG or JPEG/,
    after: "PDF or GIF",
  },
  {
    source: /(linkHours = \{\s*signup: )24\b/,
    to: "$117",
    before: /\b24 hours/,
    after: "17 hours",
  },
];

const { db, url } = await testDatabase();
const config = testConfig({
  PORT: String(await freePorts(3)),
  RATE_LIMITS: "off",
  LOG_LEVEL: "silent",
  PRICE_RESUME: "249.50",
  PRICE_PORTFOLIO: "189",
  PRICE_COMBINED: "399",
  PRICE_SECOND_LOOK_BOTH: "149.50",
});
/** A copy next to the original, so that relative paths still work. */
const folder = resolve(`build/changed-${process.pid}`);
afterAll(() => rm(folder, { recursive: true }));
const product = await changedProduct();
afterAll(() => product.close());
const texts = await textsOfPages();

test.each(changes)("a change to $after reaches every text", ({ before, after }) => {
  expect([...texts.values()].filter((text) => text.includes(after))).not.toEqual([]);
  expect([...texts].filter(([, text]) => before.test(text)).map(([page]) => page)).toEqual([]);
});

test("every page shows the prices of the settings, and no other amount", () => {
  const pay = /₹[\d.,]+(?:–[\d.,]+)? (?:LPA|lakh|variable|a (?:year|month|week|day|hour)|for the)/g;
  const amountsOn = (text: string) => text.replaceAll(pay, "").match(/₹\s?[\d.,]*\d/g) ?? [];
  const own = new Set(["₹249.50", "₹189", "₹399", "₹39.50"]);
  for (const [page, text] of texts) expect(text, page).not.toMatch(/₹(?:199|299|398|99)\b/);
  // The board names the pay of its listings in many ways.
  const found = [...texts]
    .filter(([page]) => page !== "/jobs")
    .map(([page, text]) => [page, amountsOn(text)] as const);
  const known = new Set([...own, "₹149.50"]);
  expect(found.filter(([, amounts]) => amounts.some((amount) => !known.has(amount)))).toEqual([]);
  const shown = Object.fromEntries(
    found.flatMap(([page, amounts]) => (amounts.length ? [[page, new Set(amounts)]] : [])),
  );
  expect(shown).toEqual({
    "/": own,
    "/services": own,
    "/services/example-review": new Set(["₹249.50", "₹189", "₹399"]),
    "/services/example-review/second-look": new Set(["₹149.50"]),
    "/services/resume-review": new Set(["₹249.50"]),
    "/services/portfolio-review": new Set(["₹189"]),
    "/services/combined-review": new Set(["₹399"]),
  });
});

test("pages about turnaround and files show the changed facts", () => {
  const factsOn = (page: string) => {
    const text = texts.get(page)!;
    return changes.map(({ after }) => after).filter((words) => text.includes(words));
  };
  expect(factsOn("/")).toEqual(["36 hours"]);
  expect(factsOn("/services")).toEqual(["36 hours", "12 MB", "PDF or WebP", "PDF or GIF"]);
  expect(factsOn("/faq")).toEqual(["36 hours", "12 MB", "PDF or GIF"]);
  expect(factsOn("/terms")).toEqual(["36 hours", "PDF or WebP"]);
  expect(factsOn("/refund")).toEqual(["36 hours"]);
  expect(factsOn("/services/combined-review")).toEqual(["36 hours", "12 MB", "PDF or WebP"]);
  expect(factsOn("the answer to a sign-up")).toEqual(["17 hours"]);
});

test("a link preview shows the prices", async () => {
  const html = await (await fetch(`${config.origin}/services`)).text();
  const meta = (name: string) =>
    new RegExp(`(?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? "";
  expect(meta("description")).toContain(
    "₹249.50 or ₹189 each, ₹399 for both, within 48 or 36 hours",
  );
  expect(meta("og:image:alt")).toContain("Both ₹399");
  const picture = await fetch(meta("og:image"));
  expect(picture.headers.get("Content-Type")).toBe("image/png");
});

/** Starts the built product with each fact changed at its source. */
async function changedProduct() {
  await cp("build/server", folder, { recursive: true });
  const files: string[] = [];
  for await (const file of glob(join(folder, "**/*.js"))) files.push(file);
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  for (const { source, to } of changes) {
    const found = texts.filter((text) => new RegExp(source).test(text));
    expect(found, String(source)).toHaveLength(1);
    expect(found[0]!.match(new RegExp(source, "g")), String(source)).toHaveLength(1);
    texts[texts.indexOf(found[0]!)] = found[0]!.replace(source, to);
  }
  await Promise.all(files.map((file, index) => writeFile(file, texts[index]!)));
  const entry = pathToFileURL(join(folder, "index.js")).href;
  const app = (await import(/* @vite-ignore */ entry)) as typeof App;
  return await app.startProduct(config, url);
}

/** Reads each page, including its head, and the answer to a sign-up. */
async function textsOfPages(): Promise<Map<string, string>> {
  const asha = await person(db, "Asha Verma");
  const { token } = await openSession(db, asha.id);
  const headers = { Cookie: `${getSessionCookieName(config)}=${token}` };
  const own = [
    "/services/resume-review",
    "/services/portfolio-review",
    "/services/combined-review",
  ];
  const pages = [
    ...visitorPages.map((page) => ({ page })),
    ...own.map((page) => ({ page, headers })),
  ];
  const found = new Map<string, string>();
  for (const { page, ...sent } of pages)
    found.set(page, textOf(await (await fetch(config.origin + page, sent)).text()));
  return found.set("the answer to a sign-up", textOf(await answerToSignUp()));
}

async function answerToSignUp(): Promise<string> {
  const password = "Good-enough1!";
  const answer = await fetch(`${config.origin}/signup`, {
    method: "POST",
    headers: { Origin: config.origin },
    body: new URLSearchParams({
      fullName: "Asha",
      email: "asha@example.com",
      password,
      confirmPassword: password,
      terms: "accepted",
    }),
  });
  return answer.text();
}

/** Returns the page without its scripts and React's comments between texts. */
function textOf(html: string): string {
  return html
    .replaceAll(/<script[^>]*>.*?<\/script>/gs, "")
    .replaceAll("<!-- -->", "")
    .replaceAll(/\s+/g, " ");
}
