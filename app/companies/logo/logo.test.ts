import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { runningApp } from "../../../tests/support/product/running.ts";
import { company, member, pageChange, storedLogo } from "../../../tests/support/rows/companies.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { plainFetch } from "../../../tests/support/requests/plain-fetch.ts";
import { fileProblems } from "../../files/finding.ts";
import { getNewestPage, getOwnPage } from "../page/change-page.server.ts";
import { maxUploadedLogoBytes } from "../rules.ts";
import { companies, companyChanges, companyLogos } from "../tables.server.ts";

const app = await runningApp();
const { db, origin } = app;
const who = await people(db);
const cookies = {
  member: await app.cookieOf(who.asha),
  stranger: await app.cookieOf(who.ravi),
  admin: await app.cookieOf(who.gita),
  reviewer: await app.cookieOf(who.meera),
};
const fixtures = join(import.meta.dirname, "../../../tests/fixtures/files");
const png = await readFile(join(fixtures, "poster.png"));
let own: Awaited<ReturnType<typeof company>>;

beforeEach(async () => {
  await db.delete(companies);
  own = await company(db, { slug: "sample-signs", about: "Signs." });
  await member(db, own, who.asha);
});

const pathOf = (hash: string, slug = own.slug) => `/companies/${slug}/logo/${hash}`;
const ask = (path: string, cookie = "", headers: Record<string, string> = {}) =>
  plainFetch(origin + path, { headers: { ...(cookie && { cookie }), ...headers } });

test("everyone gets the published logo, and caches keep it", async () => {
  const logoHash = await storedLogo(db, own, "published");
  await db.update(companies).set({ logoHash });
  for (const cookie of ["", ...Object.values(cookies)]) {
    const response = await ask(pathOf(logoHash), cookie);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("published");
    const { headers } = response;
    expect(headers.get("content-type")).toBe("image/webp");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("set-cookie")).toBeNull();
  }
  expect((await ask(pathOf(logoHash, "none"))).status).toBe(404);
});

test("only members and admins get a logo that waits or was returned, and no cache keeps it", async () => {
  const logoHash = await storedLogo(db, own, "waiting");
  await db.update(companies).set({ logoHash: await storedLogo(db, own, "published") });
  for (const reason of [null, "Choose a larger one."]) {
    await db.delete(companyChanges);
    await pageChange(db, own, who.asha, { logoHash, reason });
    for (const cookie of [cookies.member, cookies.admin]) {
      const response = await ask(pathOf(logoHash), cookie);
      expect([response.status, await response.text()]).toEqual([200, "waiting"]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    }
    for (const cookie of ["", cookies.stranger, cookies.reviewer]) {
      const response = await ask(pathOf(logoHash), cookie);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toContain("text/html");
    }
  }
});

test("the logos of a hidden or new company are for its admins and members only", async () => {
  const logoHash = await storedLogo(db, own, "published");
  await db.update(companies).set({ logoHash, state: "new", decidedAt: null });
  expect((await ask(pathOf(logoHash))).status).toBe(404);
  expect((await ask(pathOf(logoHash), cookies.member)).status).toBe(200);
  await db.update(companies).set({ state: "hidden", decidedAt: own.decidedAt });
  for (const cookie of ["", cookies.member, cookies.stranger])
    expect((await ask(pathOf(logoHash), cookie)).status).toBe(404);
  expect((await ask(pathOf(logoHash), cookies.admin)).status).toBe(200);
});

const typed = { name: "Sample Signs & Co.", about: "We draw signs." };

/** Sends the form of the company's page as a browser without scripts. */
async function send(
  file: { name: string; bytes: Buffer } | null,
  { cookie = cookies.member, ...fields }: Record<string, string> = {},
) {
  const { version } = getNewestPage(await getOwnPage(db, who.asha, own.id));
  const form = new FormData();
  const all = { intent: "send-page", version, website: own.website, ...typed, ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  if (file) form.append("logo", new File([new Uint8Array(file.bytes)], file.name));
  const response = await plainFetch(`${origin}/post/company/${own.id}/page`, {
    method: "POST",
    headers: { origin, cookie },
    body: form,
  });
  return { status: response.status, headers: response.headers, page: await response.text() };
}

const changeOf = async () => (await db.select().from(companyChanges))[0];

test("a chosen image becomes the logo of the change", async () => {
  expect(await send({ name: "Logo.PNG", bytes: png })).toMatchObject({ status: 302 });
  const change = (await changeOf())!;
  expect(change).toMatchObject(typed);
  const [logo] = await db
    .select()
    .from(companyLogos)
    .where(eq(companyLogos.hash, change.logoHash!));
  expect(logo!.picture.toString("latin1", 8, 12)).toBe("WEBP");
  expect((await ask(pathOf(logo!.hash))).status).toBe(404);
});

const large = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);

test("an image of exactly the limit is accepted", async () => {
  expect(await send({ name: "logo.png", bytes: large(maxUploadedLogoBytes) })).toMatchObject({
    status: 302,
  });
});

test.each([
  ["an SVG", "logo.svg", Buffer.from("<svg/>"), "Choose a PNG, JPEG or WebP image."],
  ["an SVG named as a PNG", "logo.png", Buffer.from("<svg/>"), "Choose a PNG, JPEG or WebP image."],
  ["a PNG named as a program", "logo.exe", png, "Choose a PNG, JPEG or WebP image."],
  ["half of an image", "logo.png", png.subarray(0, png.length / 2), fileProblems.incomplete],
  ["an empty file", "logo.png", Buffer.alloc(0), fileProblems.empty],
  [
    "a file over the limit",
    "logo.png",
    large(maxUploadedLogoBytes + 1),
    "This file is larger than 2 MB.",
  ],
  [
    "a file of 70 MB",
    "logo.png",
    Buffer.alloc(70 * 1_048_576, png),
    "This file is larger than 2 MB.",
  ],
])("%s gets a clear sentence, and no typed text is lost", async (_what, name, bytes, problem) => {
  const { status, page } = await send({ name, bytes });
  expect(status).toBe(422);
  expect(page).toContain(problem);
  expect(page).toContain("Sample Signs &amp; Co.");
  expect(page).toContain("We draw signs.");
  expect(await changeOf()).toBeUndefined();
  expect(await db.select().from(companyLogos)).toEqual([]);
});

test("a form without a file, or with text in its place, keeps the logo", async () => {
  const logoHash = await storedLogo(db, own, "published");
  await db.update(companies).set({ logoHash });
  expect(await send(null)).toMatchObject({ status: 302 });
  expect(await send(null, { logo: "a text", about: "More." })).toMatchObject({ status: 302 });
  expect(await changeOf()).toMatchObject({ logoHash, about: "More." });
});

test("a stranger's image is not rendered, and nothing is stored", async () => {
  const { status } = await send({ name: "logo.png", bytes: png }, { cookie: cookies.stranger });
  expect(status).toBe(404);
  expect(await db.select().from(companyLogos)).toEqual([]);
});

test("text that was typed before the session ended comes back after the log-in", async () => {
  const { status, headers } = await send({ name: "logo.png", bytes: png }, { cookie: "none=1" });
  expect(status).toBe(302);
  expect(headers.get("location")).toContain("/login");
  const [held] = headers.getSetCookie().filter((cookie) => cookie.startsWith("held-form"));
  const page = await ask(
    `/post/company/${own.id}/page`,
    `${cookies.member}; ${held!.split(";")[0]}`,
  );
  expect(await page.text()).toContain("Sample Signs &amp; Co.");
});
