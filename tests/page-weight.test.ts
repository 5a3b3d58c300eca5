import { glob, readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobs } from "../app/jobs/tables.server.ts";
import { assignedReview } from "./support/rows/review-states.ts";
import { withPages } from "./support/rows/marked-reviews.ts";
import { now } from "../app/platform/clock.ts";
import { insertManyJobs } from "../db/demo/many-jobs.server.ts";
import { visitorPages, scriptsOf, sentSize } from "./support/inventory/page-scripts.ts";
import { people } from "./support/rows/people.ts";
import { completedReview } from "./support/rows/review-states.ts";
import { runningApp } from "./support/product/running.ts";

const kilobyte = 1024;
/** The budgets for a first visit to a public page, in compressed kilobytes. */
const budget = {
  page: 12,
  styles: 10,
  facesBeforePaint: 18,
  allFaces: 25,
  scripts: 110,
  pictures: 10,
  inAll: 170,
};
/** The example review contains everything that a result can show, and the board all of its filters. */
const exceptions: Record<string, Partial<typeof budget>> = {
  "/jobs": { page: 16, styles: 12, scripts: 112, inAll: 176 },
  "/services": { scripts: 111 },
  "/services/example-review": { page: 15, styles: 12, scripts: 115, inAll: 172 },
  "/services/example-review/second-look": { page: 13 },
};

let customer!: Awaited<ReturnType<typeof people>>["asha"];
let completed!: string;
let reviewer: { cookie(): Promise<string>; review: string };
const { db, origin, cookieOf } = await runningApp(async (database) => {
  const { asha, meera } = await people(database);
  customer = asha;
  completed = await completedReview(database, asha, meera);
  const review = await assignedReview(database, asha, meera);
  await withPages(database, review);
  reviewer = { review, cookie: () => cookieOf(meera) };
  await insertManyJobs(database, 5, now());
});
const [job] = await db
  .select({ id: jobs.id })
  .from(jobs)
  .where(eq(jobs.isArchived, false))
  .limit(1);

test.each([...visitorPages, `/jobs/${job!.id}`])(
  "a first visit to %s stays within the budget",
  async (path) => {
    const limits = { ...budget, ...exceptions[path] };
    const visited = await (await fetch(origin + path)).text();
    // Only demos have this bar.
    const html = visited.replace(/<aside class="demo-bar".*?<\/aside>/s, "");
    expect(html.length).toBeLessThan(visited.length);
    const styles = linked(html, /<link rel="stylesheet" href="\/([^"]+)"/g);
    const faces = linked(html, /<link[^>]* href="\/([^"]+\.woff2)"/g);
    expect(styles).not.toEqual([]);
    expect(faces).toHaveLength(2);

    const page = (await promisify(brotliCompress)(html)).length;
    expect(page).toBeLessThan(limits.page * kilobyte);
    const sheets = await sentTogether(styles);
    expect(sheets).toBeLessThan(limits.styles * kilobyte);
    expect(await sizeTogether(faces)).toBeLessThan(limits.facesBeforePaint * kilobyte);
    const scripts = sum((await scriptsOf(html)).values());
    expect(scripts).toBeGreaterThan(50 * kilobyte);
    expect(scripts).toBeLessThan(limits.scripts * kilobyte);

    const css = (
      await Promise.all(styles.map((file) => readFile(`build/client/${file}`, "utf8")))
    ).join();
    const drawings = await sentTogether([...new Set(linked(css, /url\(\/([^)]+\.svg)\)/g))]);
    expect(drawings).toBeLessThan(limits.pictures * kilobyte);
    const inAll = page + sheets + limits.allFaces * kilobyte + scripts + drawings;
    expect(inAll).toBeLessThan(limits.inAll * kilobyte);
  },
);

test("a result with remarks adds little to the scripts that every signed-in page loads", async () => {
  const cookie = await cookieOf(customer);
  const scriptsAt = async (path: string) =>
    scriptsOf(await (await fetch(origin + path, { headers: { cookie } })).text());
  const [common, result] = await Promise.all([
    scriptsAt("/profile"),
    scriptsAt(`/service-review/${completed}`),
  ]);
  const more = [...result].filter(([file]) => !common.has(file));
  // The dialog's script loads when the dialog opens.
  expect(more.filter(([file]) => file.includes("shortcuts-dialog"))).toEqual([]);
  const own = more.filter(([file]) => /review-result\.screen|marked-result/.test(file));
  expect(own).toHaveLength(2);
  expect(sum(own.map(([, size]) => size))).toBeLessThan(7 * kilobyte);
  // Includes modules shared with other screens: rubric, remarks, shortcuts, brief, rating and pictures.
  expect(sum(more.map(([, size]) => size))).toBeLessThan(15 * kilobyte);
});

test("the workspace adds at most 60 KB of scripts to the reviewer's other screens", async () => {
  const cookie = await reviewer.cookie();
  const loaded = async (path: string) => {
    const html = await (await fetch(origin + path, { headers: { cookie } })).text();
    return scriptsOf(html);
  };
  const [common, workspace] = [
    await loaded("/reviewer"),
    await loaded(`/reviewer/submission/${reviewer.review}`),
  ];
  const own = [...workspace].filter(([file]) => !common.has(file)).map(([, size]) => size);
  expect(sum(own)).toBeGreaterThan(5 * kilobyte);
  expect(sum(own)).toBeLessThan(60 * kilobyte);
});

test.each([
  // The content security policy forbids it, so only a server-side library would try.
  ["evaluates text as code", /\b(?:Function|eval)\(/],
  // The first call blocks a phone for 60 ms. Our own date and number formats do not need it.
  [
    "uses the browser's date and number formats",
    /\bIntl\.(?:DateTime|Number)Format\b|\.toLocale(?:Date|Time)?String\(/,
  ],
])("no script %s", async (_, pattern) => {
  const scripts = await everyFile("js");
  expect(scripts.length).toBeGreaterThan(50);
  const texts = await Promise.all(scripts.map((file) => readFile(`build/client/${file}`, "utf8")));
  expect(scripts.filter((_file, index) => pattern.test(texts[index]!))).toEqual([]);
});

test("only the Hindi font may load late, and all fonts stay within the budget", async () => {
  const css = await readFile("app/ui/fonts.css", "utf8");
  const fetched = [...css.matchAll(/@font-face \{([^}]*url\([^}]*)\}/g)].map(([, face]) => face!);
  expect(fetched.length).toBeGreaterThan(3);
  const late = fetched.filter((face) => !face.includes("font-display: optional"));
  expect(late.map((face) => /font-family: "([^"]+)"/.exec(face)?.[1])).toEqual(["Anek Devanagari"]);

  // Accents in the text of a page, but not in its headings, need one more file.
  const files = ["anek-latin", "instrument-sans", "instrument-sans-accents"];
  const sizes = await Promise.all(files.map((file) => stat(`app/ui/fonts/${file}.woff2`)));
  expect(sum(sizes.map(({ size }) => size))).toBeLessThan(budget.allFaces * kilobyte);
});

/** A class that only another page's stylesheet defines would have no styles. */
test.each([...visitorPages, `/jobs/${job!.id}`])(
  "%s loads the styles for its classes",
  async (path) => {
    const html = await (await fetch(origin + path)).text();
    const own = new Set(await classesOf(linked(html, /<link rel="stylesheet" href="\/([^"]+)"/g)));
    const all = new Set(await classesOf(await everyFile("css")));
    const classes = [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) =>
      names!.split(" "),
    );
    expect(classes.filter((name) => all.has(name) && !own.has(name))).toEqual([]);
  },
);

test("the first stylesheet defines every token that any stylesheet uses", async () => {
  const sheets = await everyFile("css");
  const read = (file: string) => readFile(`build/client/${file}`, "utf8");
  const first = await read(sheets.find((file) => file.includes("/root-"))!);
  const all = (await Promise.all(sheets.map(read))).join();
  const tokens = /var\((--(?:color|text|font|radius|container|shadow|spacing|ease)[\w-]*)\)/g;
  const used = new Set(linked(all, tokens));
  expect(used.size).toBeGreaterThan(40);
  expect([...used].filter((token) => !first.includes(`${token}:`))).toEqual([]);
});

function linked(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, file]) => file!);
}

async function everyFile(type: "css" | "js"): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(`assets/*.${type}`, { cwd: "build/client" })) files.push(file);
  return files;
}

async function classesOf(sheets: string[]): Promise<string[]> {
  const texts = await Promise.all(sheets.map((file) => readFile(`build/client/${file}`, "utf8")));
  return texts.flatMap((css) => [...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
}

async function sentTogether(files: string[]): Promise<number> {
  return sum(await Promise.all(files.map((file) => sentSize(file))));
}

async function sizeTogether(files: string[]): Promise<number> {
  const all = await Promise.all(files.map((file) => stat(`build/client/${file}`)));
  return sum(all.map(({ size }) => size));
}

function sum(sizes: Iterable<number>): number {
  return [...sizes].reduce((whole, size) => whole + size, 0);
}
