import { parseArgs } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { Actor } from "../app/accounts/actor.server.ts";
import { toRoleFlags } from "../app/accounts/roles.ts";
import { users } from "../app/accounts/tables.server.ts";
import { listAllCompanies, listClaims } from "../app/companies/decide/list-companies.server.ts";
import { companies, companyMembers } from "../app/companies/tables.server.ts";
import {
  findCompany,
  listCompanies,
  listCompanyJobs,
  listCompanyPaths,
} from "../app/jobs/companies/find-companies.server.ts";
import { listFigures } from "../app/jobs/figures/figures.server.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { listHistory } from "../app/admin/history.server.ts";
import { listUsers } from "../app/admin/list-users.server.ts";
import { parseUsersQuery, userSorts } from "../app/admin/users-query.ts";
import { updateBoardCounts } from "../app/jobs/filters/board-counts.server.ts";
import { countFacets } from "../app/jobs/filters/count-facets.server.ts";
import { listFilterOptions } from "../app/jobs/filters/filter-options.server.ts";
import type { BoardQuery } from "../app/jobs/filters/board-query.ts";
import { buildJobFilter } from "../app/jobs/filters/job-filter.server.ts";
import { listJobs } from "../app/jobs/find.server.ts";
import { findPlaceBySlug } from "../app/jobs/places/find-places.server.ts";
import { loadPlaces } from "../app/jobs/places/load-places.server.ts";
import { listSimilarSearches } from "../app/jobs/search-words/similar-searches.server.ts";
import { updateSearchWords } from "../app/jobs/search-words/update-search-words.server.ts";
import { requirePublishableContacts } from "../app/jobs/contact/stopped-contacts.server.ts";
import { createCompanyJob } from "../app/jobs/manage/job-commands.server.ts";
import { countListings, listListings } from "../app/jobs/manage/job-management.server.ts";
import { listJobsWithoutDetails } from "../app/jobs/suggest-details/accept-details.server.ts";
import { now, second } from "../app/platform/clock.ts";
import { readConfig } from "../app/platform/config.server.ts";
import { type Database, getPageLimits, openDatabase } from "../app/platform/database.server.ts";
import { countWaiting, listWaiting } from "../app/posting/decide/list-waiting.server.ts";
import { listSameTexts } from "../app/posting/decide/list-same-texts.server.ts";
import { listOwnSubmissions } from "../app/posting/own/own-submissions.server.ts";
import { readListing } from "../app/posting/listing-form.server.ts";
import { jobSubmissions } from "../app/posting/tables.server.ts";
import { listAssignees, listHolders } from "../app/review-staff/assign/assignees.server.ts";
import {
  countReviews,
  listAssignedReviews,
  listPendingReviews,
} from "../app/review-staff/assign/lists.server.ts";
import { readAssignmentsQuery } from "../app/review-staff/workspace/dashboard-query.ts";
import {
  countReviewsDueToday,
  getServiceFigures,
} from "../app/reviews/due-dates/due-dates.server.ts";
import { assignedSorts } from "../app/review-staff/assign/reviews-query.ts";
import { listCompletedReviews } from "../app/review-staff/edit/completed-reviews.server.ts";
import { listOwnAssignments } from "../app/review-staff/workspace/find.server.ts";
import { serviceReviews } from "../app/reviews/tables.server.ts";
import { insertManyJobs, knownWords } from "../db/demo/many-jobs.server.ts";
import { busiest, insertManyReviews } from "../db/demo/many-reviews.server.ts";
import { ownPostgres } from "../tests/support/product/own-postgres.ts";
import { prepareDatabase } from "../db/prepare-database.ts";

/**
 * `npm run bench-lists` measures how long the server takes to read a page of each list, with 10,000 and with a
 * million jobs, reviews, people and history events, and how the time grows.
 *
 *   --rows 10000,1000000
 *   --times 100      how often each page is read
 *   --only users,board   only lists whose name contains one of these
 */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000,1000000" },
    times: { type: "string", default: "100" },
    only: { type: "string", default: "" },
  },
});
const times = Number(values.times);
/** The limit of a page in milliseconds at the 95th percentile, and other limits by the name of the row. */
const limit = 30;
const limits: readonly [nameContains: string, milliseconds: number][] = [
  ["counts", 250],
  ["two letters", 150],
  ["four filters", 45],
  ["two filters and a rare word", 40],
  ["two filters and a frequent word", 100],
  ["listing is", 15],
  // Filled once a minute, for programs.
  ["in the sitemap", 150],
];
const maxGrowth = 3;

const searches = {
  rare: knownWords.rare,
  common: knownWords.common,
  none: "nothing-like-it",
  "two letters": knownWords.tiny,
  "two common letters": "ka",
};

/** The filters of the board. */
const filters = {
  "one filter": { discipline: ["ux"] },
  "one rare filter": { skill: ["people-management"] },
  "one place": { place: ["kochi"] },
  "two filters": { discipline: ["ux"], mode: ["remote"] },
  "three filters": { discipline: ["ux", "ui"], mode: ["hybrid", "remote"], place: ["pune"] },
  "four filters": { discipline: ["game"], mode: ["remote"], place: ["jaipur"], skill: ["figma"] },
  "four frequent filters": {
    discipline: ["ux", "ui"],
    mode: ["hybrid", "remote"],
    place: ["bengaluru", "mumbai"],
    skill: ["figma", "sketch"],
  },
  "no match": { discipline: ["game"], pay: "50" as const, experience: 40, skill: ["cad"] },
};
const two = filters["two filters"];
const misspelt = buildJobFilter({ search: "prodcut desginer" });

type Read = () => Promise<unknown>;
type Times = { p50: number; p95: number };

const postgres = await ownPostgres({ durable: false });
const timings: Map<string, Times>[] = [];
try {
  for (const rows of values.rows.split(",").map(Number)) {
    const database = await filled(rows);
    timings.push(await measure(await lists(database.db)));
    await database.close();
  }
} finally {
  await postgres.end();
}
report();

async function filled(rows: number) {
  const url = new URL(process.env.TEST_DATABASE_URL!);
  const first = openDatabase(url.href);
  await first.db.execute(sql.raw(`create database rows_${rows}`));
  await first.close();
  url.pathname = `/rows_${rows}`;
  await prepareDatabase(url.href);
  const filling = openDatabase(url.href, { max: 5 });
  await loadPlaces(filling.db);
  const start = performance.now();
  await Promise.all([
    insertManyReviews(filling.db, rows, now()),
    insertManyJobs(filling.db, rows, now(), { withCompanies: true }),
  ]);
  await measureTask("open jobs counted", () => updateBoardCounts(filling.db));
  await measureTask("search words refilled", () => updateSearchWords(filling.db));
  await measureTask("search words refilled again", () => updateSearchWords(filling.db));
  await filling.close();
  const took = (performance.now() - start) / second;
  console.log(`${rows.toLocaleString("en-IN")} rows of each kind filled in ${took.toFixed(0)} s`);
  return openDatabase(url.href, { limits: getPageLimits(5) });
}

/** Reads each list like its screen does. */
async function lists(db: Database): Promise<[string, Read][]> {
  const [admin, busy, [someone]] = await Promise.all([
    actorAt(db, "god_admin"),
    db.select({ id: users.id }).from(users).where(eq(users.email, busiest)),
    db.select({ email: users.email }).from(users).orderBy(users.id).limit(1),
  ]);
  const reviewer = { ...admin, ...toRoleFlags(["reviewer"]), id: busy[0]!.id };
  return [
    ...jobLists(db, admin),
    ...filteredBoards(db),
    ...boardCounts(db),
    ["board, similar searches", () => listSimilarSearches(db, misspelt)],
    ...(await companyPages(db)),
    ...(await companyWork(db, admin)),
    ...(await listingWrites(db)),
    ...(await farBoard(db)),
    ...userLists(db, admin, someone!.email),
    ...reviewLists(db, admin, reviewer),
    ...(await searchedReviews(db, admin)),
    ["history", () => listHistory(db, admin, { type: null, id: null, after: null })],
    [
      "history of a rare type",
      () => listHistory(db, admin, { type: "user", id: null, after: null }),
    ],
  ];
}

async function actorAt(db: Database, role: "god_admin"): Promise<Actor> {
  const [user] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.highestRole, role))
    .limit(1);
  return {
    ...user!,
    fullName: "Gita Menon",
    hasActiveSubscription: false,
    sessionId: user!.id,
    isProved: true,
    factorDueAt: null,
    ...toRoleFlags([role]),
  };
}

function jobLists(db: Database, admin: Actor): [string, Read][] {
  const board = (query: Partial<BoardQuery>) => () => listJobs(db, buildJobFilter(query));
  const managed = (isArchived: boolean, search: string) => async () => {
    const query = { isArchived, search, type: null, after: null };
    await listListings(db, admin, "all", query);
    await countListings(db, admin, "all");
  };
  return [
    ["board", board({})],
    ["board, one type", board({ type: "Internship" })],
    ...Object.entries(searches).map(([name, search]): [string, Read] => [
      `board searched, ${name}`,
      board({ search }),
    ]),
    ["listings, open", managed(false, "")],
    ["listings, archived", managed(true, "")],
    ["listings without details", () => listJobsWithoutDetails(db, admin, null)],
    ["listings, archived and rare", managed(true, knownWords.rare)],
  ];
}

function filteredBoards(db: Database): [string, Read][] {
  const board = (query: Partial<BoardQuery>) => () => listJobs(db, buildJobFilter(query));
  return [
    ...Object.entries(filters).map(([name, query]): [string, Read] => [
      `board, ${name}`,
      board(query),
    ]),
    ["board by pay", board({ sort: "pay" })],
    ["board by pay, two filters", board({ ...two, sort: "pay" })],
    ["board by pay, four filters", board({ ...filters["four filters"], sort: "pay" })],
    ["board, type and pay level", board({ type: "Internship", pay: "10" })],
    ["board, two filters and a rare word", board({ ...two, search: knownWords.rare })],
    ["board, two filters and a frequent word", board({ ...two, search: knownWords.frequent })],
    ["board, a frequent word", board({ search: knownWords.frequent })],
  ];
}

/** Counts the values of the filters, as for each page that isn't cached. */
function boardCounts(db: Database): [string, Read][] {
  const counts = (query: Partial<BoardQuery>) => () => countFacets(db, buildJobFilter(query));
  return [
    ["counts, saved", () => listFilterOptions(db, buildJobFilter({}))],
    ["counts, one type", counts({ type: "Internship" })],
    ...Object.entries(filters).map(([name, query]): [string, Read] => [
      `counts, ${name}`,
      counts(query),
    ]),
    ["counts, a rare word", counts({ search: knownWords.rare })],
    ["counts, a frequent word", counts({ search: knownWords.frequent })],
    ["counts, two filters and a frequent word", counts({ ...two, search: knownWords.frequent })],
  ];
}

/** Reads the public pages of companies, of the largest one and of one with few jobs. */
async function companyPages(db: Database): Promise<[string, Read][]> {
  const page = (slug: string) => async () => {
    const company = await findCompany(db, slug);
    await listCompanyJobs(db, company!.id, null);
  };
  const { next } = await listCompanies(db, { after: null });
  return [
    ["companies", () => listCompanies(db, { after: null })],
    ["companies, second page", () => listCompanies(db, { after: next })],
    ["a company's page, many jobs", page("studio-1")],
    ["a company's page, few jobs", page("studio-99")],
    ["companies in the sitemap", () => listCompanyPaths(db)],
  ];
}

/** Reads what admins and the members of the largest company see, and publishes imported listings. */
async function companyWork(db: Database, admin: Actor): Promise<[string, Read][]> {
  const [studio] = await db
    .select({ id: companies.id })
    .from(companies)
    .where(eq(companies.slug, "studio-1"));
  const { rows: summaries } = await db.execute<{ description: string }>(sql`
    select description from jobs where not is_archived order by posted_at offset 5000 limit 1`);
  const at = now();
  await db.insert(companyMembers).values({
    companyId: studio!.id,
    userId: admin.id,
    role: "owner",
    workEmail: "owner@studio1.example",
    askedAt: at,
    confirmedAt: at,
    approvedAt: at,
  });
  return [
    [
      "waiting listings",
      async () => {
        await listWaiting(db, admin, { after: null });
        await countWaiting(db, admin);
      },
    ],
    ["waiting listings, same texts", () => listSameTexts(db, summaries[0]!.description)],
    [
      "own listings of many",
      async () => {
        const { rows } = await listOwnSubmissions(db, admin, { after: null });
        await listFigures(
          db,
          rows.flatMap(({ job }) => (job?.id ? [job.id] : [])),
        );
      },
    ],
    ["all companies", () => listAllCompanies(db, admin, { after: null })],
    ["claims", () => listClaims(db, admin, { after: null })],
    ["a company's listing is published", () => publishWaiting(db, admin)],
  ];
}

/** Publishes a listing that waits, with the statements of an approval but without its email. */
async function publishWaiting(db: Database, admin: Actor): Promise<void> {
  const { checks, secrets, rateLimits } = readConfig({});
  const settings = { ...checks, secrets, rateLimits };
  await db.transaction(async (tx) => {
    const [waiting] = await tx
      .select({ submission: jobSubmissions, company: companies })
      .from(jobSubmissions)
      .innerJoin(companies, eq(companies.id, jobSubmissions.companyId))
      .where(eq(jobSubmissions.state, "waiting"))
      .orderBy(jobSubmissions.sentAt, jobSubmissions.id)
      .limit(1)
      .for("update");
    const { submission, company } = waiting!;
    const listing = readListing(submission.fields, company.name, submission.source);
    await requirePublishableContacts(tx, settings, listing);
    const posting = { listing, companyId: company.id, submittedBy: null, approvedBy: admin.id };
    const jobId = await createCompanyJob(tx, admin, posting, settings);
    await tx
      .update(jobSubmissions)
      .set({ state: "live", jobId, fields: {}, updatedAt: now() })
      .where(eq(jobSubmissions.id, submission.id));
  });
}

/** Writes listings with their facets, and counts all of them again as the task does after a change. */
async function listingWrites(db: Database): Promise<[string, Read][]> {
  const places = [findPlaceBySlug("pune")!.id, findPlaceBySlug("kochi")!.id];
  const job = {
    title: "Type Designer",
    company: "Sample Studio",
    location: "Pune, Kochi",
    jobType: "Full-time" as const,
    description: "Draw letters.",
    discipline: "graphic" as const,
    placeIds: places,
    skillIds: [40, 41, 42],
    experienceMin: 2,
    payMax: 900_000,
    payPeriod: "year" as const,
  };
  const insert = () =>
    db
      .insert(jobs)
      .values({ ...job, postedAt: now() })
      .returning({ id: jobs.id });
  const [edited] = await insert();
  let turn = 0;
  return [
    ["a listing is published", insert],
    [
      "a listing is edited",
      () =>
        db
          .update(jobs)
          .set({ payMax: 900_000 + (turn++ % 1_000), updatedAt: now() })
          .where(eq(jobs.id, edited!.id)),
    ],
  ];
}

/** Measures a task once, since it takes seconds. */
async function measureTask(name: string, run: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await run();
  console.log(`${name} in ${((performance.now() - start) / second).toFixed(1)} s`);
}

/** Reads the board's page after nine tenths of the jobs. */
async function farBoard(db: Database): Promise<[string, Read][]> {
  const { rows } = await db.execute<{ at: Date; id: string }>(sql`
    select posted_at as at, id from jobs where not is_archived order by posted_at desc, id desc
    offset (select count(*) * 9 / 10 from jobs where not is_archived) limit 1`);
  const { at, id } = rows[0]!;
  const cursor = JSON.stringify(["", "after", new Date(at).getTime(), id]);
  const after = Buffer.from(cursor).toString("base64url");
  return [["board, far", () => listJobs(db, { query: { after } })]];
}

function userLists(db: Database, admin: Actor, email: string): [string, Read][] {
  const rare = /(?<=\.)\w+/.exec(email)![0];
  const list = (address: string) => () =>
    listUsers(db, admin, parseUsersQuery(new URLSearchParams(address)));
  return [
    ...userSorts.flatMap((by) =>
      ["asc", "desc"].map((direction): [string, Read] => [
        `users by ${by}, ${direction}`,
        list(`sort=${by}.${direction}`),
      ]),
    ),
    ["users searched, rare", list(`search=${rare}`)],
    ["users searched, an address", list(`search=${email}`)],
    ["users searched, common", list("search=example")],
    ["users searched, none", list("search=nobody@nowhere")],
    ["users searched, a role", list("search=review")],
    ["users searched, two letters", list("search=p9")],
    ["users searched, two rare letters", list("search=zq")],
    ["users searched and sorted, rare", list(`search=${rare}&sort=registered.desc`)],
    ["users searched and sorted, common", list("search=example&sort=role.desc")],
  ];
}

function reviewLists(db: Database, admin: Actor, reviewer: Actor): [string, Read][] {
  const own = (address: string) => () =>
    listOwnAssignments(db, reviewer, readAssignmentsQuery(new URLSearchParams(address)));
  const assigned = (query: Parameters<typeof listAssignedReviews>[2]) => () =>
    listAssignedReviews(db, admin, query);
  return [
    ["pending", () => listPendingReviews(db, admin, { type: null, after: null })],
    [
      "pending, one type",
      () => listPendingReviews(db, admin, { type: "combined_review", after: null }),
    ],
    [
      "pending, overdue first",
      () => listPendingReviews(db, admin, { sort: { by: "due", direction: "asc" } }),
    ],
    ...assignedSorts.flatMap((by) =>
      (["asc", "desc"] as const).map((direction): [string, Read] => [
        `assigned by ${by}, ${direction}`,
        assigned({ sort: { by, direction } }),
      ]),
    ),
    ["assigned of the busiest", assigned({ reviewer: reviewer.id })],
    ["assigned of nobody", assigned({ reviewer: admin.id, type: "resume_review" })],
    ["completed", () => listCompletedReviews(db, admin, { after: null })],
    ["the tabs' counts", () => countReviews(db, admin)],
    ["assignees", () => listAssignees(db, admin)],
    ["holders", () => listHolders(db, admin)],
    ["own, by assignment", own("")],
    ["own, by priority", own("sort=priority")],
    ["own, least urgent", own("sort=priority&dir=asc")],
    ["own, overdue first", own("sort=due")],
    ["own, completed", own("tab=completed")],
    ["what is due today", () => countReviewsDueToday(db, admin)],
    ["figures of the service", () => getServiceFigures(db)],
  ];
}

/** Searches the three lists of reviews by name, by email and by id. */
async function searchedReviews(db: Database, admin: Actor): Promise<[string, Read][]> {
  const [review] = await db
    .select({ id: serviceReviews.id, email: users.email })
    .from(serviceReviews)
    .innerJoin(users, eq(users.id, serviceReviews.userId))
    .orderBy(serviceReviews.id)
    .limit(1);
  const { id, email } = review!;
  const kinds = {
    rare: /(?<=\.)\w+/.exec(email)![0],
    "an address": email,
    "a name": "person 1234",
    common: "example",
    none: "nobody@nowhere",
    "the start of an id": id.slice(0, 6),
    "two letters": "p9",
    "two rare letters": "zq",
  };
  return Object.entries(kinds).flatMap(([name, search]): [string, Read][] => [
    [`pending searched, ${name}`, () => listPendingReviews(db, admin, { search })],
    [`assigned searched, ${name}`, () => listAssignedReviews(db, admin, { search })],
    [`completed searched, ${name}`, () => listCompletedReviews(db, admin, { search, after: null })],
  ]);
}

async function measure(all: [string, Read][]): Promise<Map<string, Times>> {
  const measured = new Map<string, Times>();
  const parts = values.only.split(",");
  for (const [name, read] of all.filter(([name]) => parts.some((part) => name.includes(part)))) {
    const took: number[] = [];
    try {
      for (let turn = 0; turn < 5; turn++) await read();
      for (let turn = 0; turn < times; turn++) {
        const start = performance.now();
        await read();
        took.push(performance.now() - start);
      }
    } catch (error) {
      // Filling takes long, so one list that is too slow for the limit of a page must not lose the others.
      console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      measured.set(name, { p50: Infinity, p95: Infinity });
      continue;
    }
    took.sort((one, other) => one - other);
    const at = (share: number) => took[Math.min(times - 1, Math.floor(times * share))]!;
    measured.set(name, { p50: at(0.5), p95: at(0.95) });
  }
  return measured;
}

function report(): void {
  console.log(line(["list", ...timings.flatMap(() => ["p50 ms", "p95 ms"]), "growth"]));
  const [first, last] = [timings.at(0)!, timings.at(-1)!];
  for (const [name, { p50, p95 }] of last) {
    const growth = p50 / first.get(name)!.p50;
    const allowed = limits.find(([part]) => name.includes(part))?.[1] ?? limit;
    const isSlow = p95 > allowed || (growth > maxGrowth && p95 > 5);
    const cells = timings.flatMap((of) => {
      const one = of.get(name)!;
      return [one.p50.toFixed(1), one.p95.toFixed(1)];
    });
    console.log(line([name, ...cells, growth.toFixed(1)]) + (isSlow ? "  too slow" : ""));
  }
}

function line(cells: string[]): string {
  const [name = "", ...numbers] = cells;
  return name.padEnd(36) + numbers.map((cell) => cell.padStart(9)).join("");
}
