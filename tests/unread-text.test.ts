import { expect, test } from "vitest";
import { requestMembership } from "../app/companies/membership/request-membership.server.tsx";
import { approvePageChange } from "../app/companies/decide/decide-page-changes.server.tsx";
import { listPageChanges } from "../app/companies/decide/list-page-changes.server.ts";
import { getPageVersion } from "../app/companies/page/company-page.server.ts";
import { updateSearchWords } from "../app/jobs/search-words/update-search-words.server.ts";
import { mails } from "../app/mail/tables.server.ts";
import { openLeases } from "../app/platform/leases.server.ts";
import { createLog } from "../app/platform/log.server.ts";
import { approveSubmissions } from "../app/posting/decide/decide-submissions.server.tsx";
import { toDecisionSettings } from "../app/posting/create-submitted-job.server.tsx";
import { importJobs } from "../app/posting/import/import-jobs.server.ts";
import { sendDueAlerts } from "../app/seekers/alerts/send-alerts.server.ts";
import { updateBoardCounts } from "../app/jobs/filters/board-counts.server.ts";
import { screenPaths, screens } from "./support/inventory/screens.ts";
import { runningApp } from "./support/product/running.ts";
import { plainFetch } from "./support/requests/plain-fetch.ts";
import { jobAlert } from "./support/rows/alerts.ts";
import {
  changeOfListing,
  company,
  listingFields,
  member,
  pageChange,
  storedLogo,
  submission,
} from "./support/rows/companies.ts";
import { people } from "./support/rows/people.ts";

/**
 * Text and logos of companies that no admin has read, or nobody has paid for, are in no answer to anyone outside the
 * company and the admins: not on any screen, nor in a feed, a sitemap, the address of a preview image or a logo, or an email.
 */
const marker = "Zyxwv";
const fields = {
  ...listingFields,
  title: `${marker} Letterer`,
  location: `${marker} Nagar`,
  description: `${marker} draws.`,
  largeDescription: `${marker} draws all day.`,
  pocName: `${marker} Rao`,
};

const app = await runningApp();
const { db, product } = app;
const { config } = product.services.app;
const who = await people(db);
const unread = await company(db, {
  state: "new",
  decidedAt: null,
  name: `${marker} Signs`,
  about: `${marker} since 1990.`,
});
await member(db, unread, who.asha);
const known = await company(db, { name: "Known Signs" });
await member(db, known, who.asha);
const states = ["draft", "waiting", "returned", "payable"] as const;
for (const own of [unread, known])
  for (const state of states) {
    await submission(db, own, who.asha, state, { fields });
    await changeOfListing(db, own, who.asha, state, fields);
  }
await requestMembership(db, who.ravi, config, {
  name: `${marker} Claim`,
  website: known.website,
  about: marker,
  workEmail: `ravi@${known.domain}`,
  domain: known.domain,
});
const logoText = `${marker} Logo`;
const logos: { slug: string; hash: string }[] = [];
for (const [own, reason] of [
  [unread, null],
  [known, null],
  [await company(db, { name: "Returned Signs" }), "State where."],
] as const) {
  const hash = await storedLogo(db, own, logoText);
  logos.push({ slug: own.slug, hash });
  await pageChange(db, own, who.asha, {
    name: `${marker} Signs and Maps`,
    about: `${marker} since 1980.`,
    website: `${known.website}/${marker} Path`,
    logoHash: hash,
    reason,
  });
}
await jobAlert(db, { email: "reader@example.com", query: "" });
await importJobs(
  { db, leases: openLeases(db), settings: { ...config.checks, ...config }, logProgress() {} },
  JSON.stringify([{ ...fields, url: `https://example.in/jobs/${marker} Letterer` }]),
  { provider: "json", slug: known.slug, newCompany: null, dryRun: false, closeMissing: false },
);
const waiting = await submission(db, known, who.asha, "waiting", { fields });
const change = await changeOfListing(db, known, who.asha, "waiting", {
  ...fields,
  location: `${marker} Beach`,
});

const documents = [
  "/jobs/feed.atom",
  "/jobs/feed.json",
  "/sitemap.xml",
  "/sitemaps/pages.xml",
  "/sitemaps/jobs-1.xml",
  `/places?location=${marker}`,
  `/companies/${unread.slug}`,
  `/companies/${known.slug}`,
  `/social/companies/${unread.slug}.png`,
  ...logos.flatMap(({ slug, hash }) => [
    `/companies/${slug}`,
    `/companies/${slug}/logo/${hash}`,
    `/social/companies/${slug}.png`,
  ]),
  // A listing whose change nobody has read.
  `/jobs/${change.jobId}`,
  `/social/jobs/${change.jobId}.png`,
];
const isForAdmins = (path: string) => /^\/admin\b/.test(path);
const addresses = [
  ...documents,
  ...screenPaths.filter((path) => !/[:*]/.test(path) && !isForAdmins(path)),
].flatMap((path) => [path, ...(path.includes("?") ? [] : [`${path}?search=${marker}`])]);

/** The text, and not the search that looks for it. */
const text = new RegExp(`${marker} [A-Za-z]`);

async function read(address: string, cookie = ""): Promise<string> {
  return (await plainFetch(app.origin + address, { headers: { Cookie: cookie } })).text();
}

/** Lists the addresses whose answers have the text, and the emails with it. */
async function listLeaks(): Promise<string[]> {
  const cookies = await Promise.all([who.ravi, who.sonia, who.devi, who.meera].map(app.cookieOf));
  const leaks: string[] = [];
  for (const address of addresses)
    for (const cookie of ["", ...cookies]) {
      if (text.test(await read(address, cookie))) leaks.push(address);
    }
  const sent = await db.select().from(mails);
  leaks.push(...sent.filter((mail) => text.test(mail.text)).map(({ cause }) => cause));
  return [...new Set(leaks)];
}

async function runTasks(): Promise<void> {
  await updateBoardCounts(db);
  await updateSearchWords(db);
  await sendDueAlerts({ db, log: createLog("silent") }, config);
}

test("nobody outside its company gets text that no admin has read", async () => {
  expect(addresses.length).toBeGreaterThan(80);
  expect(Object.keys(screens).length).toBeGreaterThan(80);
  await runTasks();
  expect(await listLeaks()).toEqual([]);
});

test("the same search finds the text once an admin has published it", async () => {
  const settings = toDecisionSettings(config);
  const { published } = await approveSubmissions(
    db,
    who.gita,
    [
      { id: waiting, version: 1 },
      { id: change.id, version: 1 },
    ],
    settings,
  );
  expect(published).toBe(2);
  // A process learns of a change a moment later.
  await expect.poll(() => read(`/jobs?search=${marker}`)).toMatch(text);
  expect(await read("/jobs/feed.json")).toMatch(text);
  expect(await read(`/jobs/${change.jobId}`)).toContain(`${marker} Beach`);
  const [page] = (await listPageChanges(db, who.gita, { after: null })).rows.filter(
    ({ id }) => id === known.id,
  );
  const { id: companyId, version } = page!;
  const seen = { companyId, version, pageVersion: getPageVersion(page!.page) };
  await approvePageChange(db, who.gita, seen, config);
  await expect.poll(() => read(`/companies/${known.slug}`)).toMatch(text);
  const { slug, hash } = logos[1]!;
  expect(await read(`/companies/${slug}/logo/${hash}`)).toBe(logoText);
});
