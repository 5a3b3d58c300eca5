import { beforeEach, expect, test } from "vitest";
import { askedBy } from "../../../tests/support/requests/asked.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { saveInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { requestFacts } from "../../platform/app-context.server.ts";
import { noDetails } from "../details.ts";
import { jobs } from "../tables.server.ts";
import { createJob } from "./job-commands.server.ts";
import { jobFields } from "./job-fields.server.ts";
import { loadManagedJobs, manageJobsAction } from "./job-management.server.ts";
import { maxLengths } from "./rules.ts";
import { typedJob } from "../../../tests/support/rows/jobs.ts";

const { db, ...who } = await testPeople();
const broken = new Proxy({} as Database, {
  get() {
    throw new Error("The database is away.");
  },
});

/** All fields that a form sends. */
const allFields = {
  title: "Map Maker",
  company: "Example Studio",
  location: "Pune",
  jobType: "Part-time",
  compensation: "",
  description: "Draw.",
  largeDescription: "Draw all day.",
  pocName: "",
  pocContact: "",
  portalApplicationLink: "",
  directApplicationLink: "",
};

beforeEach(async () => {
  await db.delete(jobs);
});

test("a list that cannot be read shows an error", async () => {
  const loaded = await loadManagedJobs(requestBy(who.devi, "", { database: broken }), "own");
  expect(loaded.init?.status).toBe(500);
  expect(loaded.data.problem).toBe("Failed to load job listings");
});

test("dates are short and in Indian time", async () => {
  const postedAt = new Date("2025-01-04T20:00:00Z");
  await db.insert(jobs).values({ ...jobFields.parse(typedJob), createdBy: who.devi.id, postedAt });
  const { data: loaded } = await loadManagedJobs(requestBy(who.devi), "own");
  expect(loaded.listings).toMatchObject([
    { title: "Map Maker", posted: "Jan 5, 2025", edited: null },
  ]);
});

test("the form of another person's listing is not found", async () => {
  const id = await createJob(db, who.omar, jobFields.parse(typedJob));
  for (const intent of ["edit", "delete"]) {
    const loaded = await loadManagedJobs(requestBy(who.devi, `?${intent}=${id}`), "own");
    expect(loaded.init?.status).toBe(404);
    expect(loaded.data).toMatchObject({ form: null, problem: "Job listing not found" });
  }
  const loaded = await loadManagedJobs(requestBy(who.gita, `?edit=${id}`), "all");
  expect(loaded.data.form).toMatchObject({ intent: "edit", saved: { ...typedJob, pocName: "" } });
});

test("a new listing leads to the top of the list, with the toast", async () => {
  const sent = await send(who.devi, "?tab=archived&new", { intent: "create-job", ...typedJob });
  expect(sent).toMatchObject({ status: 302, to: "/job-board" });
  expect(sent.toasts).toEqual([{ kind: "success", title: "Job listing created successfully" }]);
});

test("an edit leads back to the list it started from", async () => {
  const id = await createJob(db, who.devi, jobFields.parse(typedJob));
  const form = { intent: "update-job", id, ...typedJob, title: "Map Keeper" };
  const sent = await send(who.devi, `?tab=archived&search=map&edit=${id}`, form);
  expect(sent).toMatchObject({ status: 302, to: "/job-board?tab=archived&search=map" });
  expect(sent.toasts).toEqual([{ kind: "success", title: "Job listing updated successfully" }]);
});

test.each([
  ["no contact", {}, true],
  ["only a page for applications", { portalApplicationLink: "https://example.com/apply" }, true],
  ["a name", { pocName: "Leela Menon" }, false],
  ["an address", { pocContact: "leela@example.com" }, false],
  ["a link to write to", { directApplicationLink: "https://example.com/leela" }, false],
])(
  "a listing with %s is saved, and its form warns if it names nobody",
  async (_what, contact, warns) => {
    await send(who.sonia, "?new", { intent: "create-job", ...typedJob, ...contact });
    const [job] = await db.select().from(jobs);
    const loaded = await loadManagedJobs(requestBy(who.sonia, `?edit=${job!.id}`), "own");
    expect(loaded.data.form).toMatchObject({
      warning: warns
        ? expect.stringContaining("Nobody to ask: this listing names no contact.")
        : null,
    });
    const blank = await loadManagedJobs(requestBy(who.sonia, "?new"), "own");
    expect(blank.data.form).toMatchObject({ warning: null });
  },
);

test("a form that cannot be saved still has the typed values", async () => {
  const refused = await send(who.devi, "?new", { intent: "create-job", ...typedJob, title: "UX" });
  expect(refused).toMatchObject({ status: 422, problems: { values: { title: "UX" } } });
  const form = { intent: "create-job", ...typedJob };
  const failed = await send(who.devi, "?new", form, { database: broken });
  expect(failed).toMatchObject({
    status: 500,
    problems: { errors: { "": "Failed to submit job listing" }, values: typedJob },
    toasts: [{ kind: "error", title: "Failed to submit job listing" }],
  });
});

const details = {
  hasDetails: "yes",
  discipline: "ux",
  workMode: "hybrid",
  places: "Pune, Bangalore",
  "skill-figma": "on",
  payMin: "12\u00a0lakh",
  payPeriod: "year",
};

test("a form saves its details, and one without them keeps the saved ones", async () => {
  await send(who.devi, "?new", { intent: "create-job", ...typedJob, ...details });
  const [{ id } = { id: "" }] = await db.select({ id: jobs.id }).from(jobs);
  const stated = { discipline: "ux", workMode: "hybrid", skillIds: [1], payMin: 1_200_000 };
  await send(who.devi, `?edit=${id}`, {
    intent: "update-job",
    id,
    ...typedJob,
    title: "Globe Maker",
  });
  expect(await db.select().from(jobs)).toMatchObject([{ title: "Globe Maker", ...stated }]);
  const form = { intent: "update-job", id, ...typedJob, hasDetails: "yes" };
  await send(who.devi, `?edit=${id}`, form);
  expect(await db.select().from(jobs)).toMatchObject([{ title: "Map Maker", ...noDetails }]);
});

test("the form of a listing has its details", async () => {
  await send(who.devi, "?new", { intent: "create-job", ...typedJob, ...details });
  const [{ id } = { id: "" }] = await db.select({ id: jobs.id }).from(jobs);
  const loaded = await loadManagedJobs(requestBy(who.devi, `?edit=${id}`), "own");
  expect(loaded.data.form).toMatchObject({
    saved: { ...typedJob, places: "Pune, Bengaluru", payMin: "12,00,000", "skill-figma": "on" },
  });
});

test("a form with a wrong detail still has everything that was typed", async () => {
  const typed = { intent: "create-job", ...typedJob, ...details, places: "Pune, Atlantis" };
  const refused = await send(who.devi, "?new", typed);
  expect(refused).toMatchObject({
    status: 422,
    problems: {
      errors: { places: "We don't know “Atlantis”. Use the nearest city, or its state." },
      values: { ...typed, payMin: "12 lakh" },
    },
  });
  expect(await db.$count(jobs)).toBe(0);
});

test("details typed before the session ended are restored", async () => {
  const cookie = await hold({ intent: "create-job", ...typedJob, ...details });
  const loaded = await loadManagedJobs(requestBy(who.devi, "?new", { cookie }), "own");
  const { "skill-figma": figma, hasDetails } = details;
  expect(loaded.data.form).toMatchObject({ typed: { "skill-figma": figma, hasDetails } });
});

test("the second of two tabs with other details gets an error and keeps its text", async () => {
  await send(who.devi, "?new", { intent: "create-job", ...typedJob, ...details });
  const [{ id } = { id: "" }] = await db.select({ id: jobs.id }).from(jobs);
  const { data: opened } = await loadManagedJobs(requestBy(who.devi, `?edit=${id}`), "own");
  const version = opened.form?.intent === "edit" ? opened.form.version! : "";
  const form = { intent: "update-job", id, version, ...typedJob, ...details };
  const first = await send(who.devi, `?edit=${id}`, { ...form, discipline: "ui" });
  expect(first.status).toBe(302);
  const second = await send(who.devi, `?edit=${id}`, { ...form, discipline: "brand" });
  expect(second).toMatchObject({ status: 409, problems: { values: { discipline: "brand" } } });
  expect(await db.select().from(jobs)).toMatchObject([{ discipline: "ui" }]);
});

test.each([
  ["archive-job", "Job listing archived successfully", "Failed to archive job listing"],
  ["unarchive-job", "Job listing unarchived successfully", "Failed to unarchive job listing"],
  ["delete-job", "Job listing deleted successfully", "Failed to delete job listing"],
])("%s shows its result", async (intent, done, failed) => {
  const id = await createJob(db, who.devi, jobFields.parse(typedJob));
  const foreign = await send(who.omar, "", { intent, id });
  expect(foreign).toMatchObject({
    status: 404,
    toasts: [{ kind: "error", title: failed, description: "Job listing not found" }],
  });
  const away = await send(who.devi, "", { intent, id }, { database: broken });
  expect(away).toMatchObject({ status: 500, toasts: [{ kind: "error", title: failed }] });
  const sent = await send(who.devi, "", { intent, id });
  expect(sent).toMatchObject({ status: 302, to: "/job-board", toasts: [{ title: done }] });
});

test("text typed before the session ended is restored in the same form only", async () => {
  const id = await createJob(db, who.devi, jobFields.parse(typedJob));
  const cookie = await hold({ intent: "update-job", id, ...typedJob, title: "Typed" });
  const elsewhere = await loadManagedJobs(requestBy(who.devi, "?new", { cookie }), "own");
  expect(elsewhere.data.form).toMatchObject({ intent: "create", typed: {} });
  const version = "as it was opened";
  const again = await hold({ intent: "update-job", id, version, ...typedJob, title: "Typed" });
  const loaded = await loadManagedJobs(
    requestBy(who.devi, `?edit=${id}`, { cookie: again }),
    "own",
  );
  expect(loaded.data.form).toMatchObject({ version, saved: typedJob, typed: { title: "Typed" } });
});

test("optional fields that are empty are null", () => {
  expect(jobFields.parse({ ...allFields, compensation: "  " })).toEqual({
    ...allFields,
    compensation: null,
    pocName: null,
    pocContact: null,
    portalApplicationLink: null,
    directApplicationLink: null,
  });
});

test.each([
  ["title", "UX", "Job title must be at least 3 characters"],
  ["title", "  a  ", "Job title must be at least 3 characters"],
  ["company", "X", "Company name is required"],
  ["location", " ", "Location is required"],
  ["jobType", "Freelance", "Please select a valid job type"],
  ["jobType", "", "Please select a valid job type"],
  ["description", " \r\n ", "Please summarise the job"],
  ["largeDescription", "\u0000\t", "Please describe the job in detail"],
  ["portalApplicationLink", "example.com", "Must be a valid URL"],
  ["portalApplicationLink", "javascript:alert(1)", "Must be a valid URL"],
  ["directApplicationLink", "https://", "Must be a valid URL"],
  ["directApplicationLink", "mailto:a@example.com", "Must be a valid URL"],
  ["title", "x".repeat(151), "Please keep this within 150 characters"],
  ["largeDescription", "x".repeat(15_001), "Please keep this within 15,000 characters"],
])("the %s %j is refused", (field, value, message) => {
  expect(problems({ ...allFields, [field]: value })).toEqual({ [field]: message });
});

test("an empty form gets an error for every required field", () => {
  expect(Object.keys(problems({})).toSorted()).toEqual(
    ["company", "description", "largeDescription", "location", "title"].toSorted(),
  );
});

test("the shortest and longest allowed values are accepted", () => {
  expect(problems({ ...allFields, title: "UXR", company: "LG", location: "Go" })).toEqual({});
  const full = Object.entries(maxLengths).map(([name, most]) => [name, "x".repeat(most)]);
  const link = `https://example.com/${"x".repeat(1_980)}`;
  const links = { portalApplicationLink: link, directApplicationLink: link };
  expect(problems({ ...allFields, ...Object.fromEntries(full), ...links })).toEqual({});
});

test("line breaks are removed from single-line fields only", () => {
  const parsed = jobFields.parse({
    ...allFields,
    title: " Map\u0000\r\nMaker\u2028II ",
    largeDescription: "One\r\n\r\nTwo\u0007\tthree\u0000",
    portalApplicationLink: " https://example.com/apply?a=1#b ",
  });
  expect(parsed.title).toBe("Map Maker II");
  expect(parsed.largeDescription).toBe("One\n\nTwo\tthree");
  expect(parsed.portalApplicationLink).toBe("https://example.com/apply?a=1#b");
});

test("a form cannot set owner, date or state", () => {
  const more = { ...allFields, createdBy: "me", postedAt: "1970", isArchived: "true" };
  expect(Object.keys(jobFields.parse(more)).toSorted()).toEqual(Object.keys(allFields).toSorted());
});

function problems(form: Record<string, string>): Record<string, string> {
  const parsed = jobFields.safeParse(form);
  const issues = parsed.error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

type Options = { database?: Database; cookie?: string; body?: URLSearchParams };

function requestBy(actor: Actor | null, search = "", options: Options = {}) {
  const url = new URL(`http://localhost/job-board${search}`);
  const request = new Request(url, {
    ...(options.body && { method: "POST", body: options.body }),
    headers: options.cookie ? { cookie: options.cookie } : {},
  });
  return { request, url, params: {}, ...askedBy(options.database ?? db, actor) };
}

async function send(
  actor: Actor,
  search: string,
  form: Record<string, string>,
  options: Options = {},
) {
  const body = new URLSearchParams(form);
  const { toasts, ...sent } = requestBy(actor, search, { ...options, body });
  const answer = await manageJobsAction(sent);
  return answer instanceof Response
    ? { status: answer.status, to: answer.headers.get("location"), toasts }
    : { status: answer.init?.status, problems: answer.data, toasts };
}

async function hold(form: Record<string, string>): Promise<string> {
  const { context, request } = requestBy(null, "", { body: new URLSearchParams(form) });
  await saveInterruptedForm(context, request, "/job-board");
  return context.get(requestFacts).setCookies[0]!.split(";")[0]!;
}
