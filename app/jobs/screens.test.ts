import { eq } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { askedBy } from "../../tests/support/requests/asked.ts";
import { testPeople } from "../../tests/support/rows/test-people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { day, now } from "../platform/clock.ts";
import { type RequestFacts, requestFacts, type Toast } from "../platform/app-context.server.ts";
import * as board from "./board/job-board.screen.tsx";
import { parseJobFilter } from "./filters/job-filter.server.ts";
import * as screen from "./listing/job.screen.tsx";
import { placesByKey, setsByKey } from "./places/find-places.server.ts";
import { jobs } from "./tables.server.ts";

const { db, asha } = await testPeople();

const job = {
  id: "5a5b1c9e-0000-4000-8000-000000000001",
  title: "Map Maker",
  company: "Example Studio",
  location: "Pune",
  jobType: "Internship" as const,
  description: "Draw.",
  pocName: "Secret Person",
  pocContact: "secret@example.com",
  portalApplicationLink: "https://secret.example.com/portal",
  directApplicationLink: "https://secret.example.com/direct",
  postedAt: new Date(now().getTime() - 8 * day),
};
const archived = { ...job, id: "5a5b1c9e-0000-4000-8000-000000000002", isArchived: true };
await db.insert(jobs).values([job, archived]);

test("the server sends a visitor no contacts", async () => {
  const sent = [await openBoard("", null), await open(job.id, null)];
  expect(JSON.stringify(sent)).toContain("Map Maker");
  expect(JSON.stringify(sent)).not.toMatch(/secret/i);
});

test("a request finds the places of its filters once, for its cache key, list, counts and labels", async () => {
  const lookUps = [vi.spyOn(placesByKey, "get"), vi.spyOn(setsByKey, "get")];
  onTestFinished(() => void vi.restoreAllMocks());
  const params = new URLSearchParams({ place: "Bangalore" });
  const [read, stored] = [parseJobFilter(params), parseJobFilter(params)];
  expect([read, stored].map(({ cacheKey }) => cacheKey)).toEqual([
    "/jobs?place=bengaluru",
    "/jobs?place=bengaluru",
  ]);
  expect(await openBoard("?place=bengaluru", null)).toMatchObject({
    labels: [{ value: "bengaluru", label: "Bengaluru" }],
  });
  expect(lookUps.map(({ mock }) => mock.calls)).toEqual([[["bangalore"]], [["bangalore"]]]);
});

test("a signed-in person gets the contacts", async () => {
  expect(JSON.stringify(await open(job.id, asha))).toContain("secret@example.com");
});

test("the board knows if the person is signed in, and shows the age of each job", async () => {
  expect(await openBoard("?type=Internship&after=nonsense", null)).toMatchObject({
    isVisitor: true,
    next: null,
    jobs: [{ title: "Map Maker", age: "1 week ago" }],
  });
  expect(await openBoard("", asha)).toMatchObject({ isVisitor: false });
});

test("a missing job has status 404 and an archived one 410, for everyone", async () => {
  for (const actor of [null, asha]) {
    await expect(open("nope", actor)).rejects.toMatchObject({
      init: { status: 404 },
      data: { message: "Job Not Found" },
    });
    await expect(open(archived.id, actor)).rejects.toMatchObject({ init: { status: 410 } });
  }
});

test("a job names other open jobs like it, never itself or an archived one", async () => {
  const like = { ...job, id: "5a5b1c9e-0000-4000-8000-000000000003", title: "Junior Map Maker" };
  await db.insert(jobs).values(like);
  onTestFinished(async () => void (await db.delete(jobs).where(eq(jobs.id, like.id))));
  expect((await open(job.id, null)).similar.map(({ id }) => id)).toEqual([like.id]);
  expect((await open(like.id, asha)).similar.map(({ id }) => id)).toEqual([job.id]);
});

test("without JavaScript, a visitor's buttons lead back to the job with a toast", async () => {
  expect(await press("portal", null)).toEqual({
    to: `/jobs/${job.id}`,
    toasts: [
      {
        kind: "error",
        title: "Authentication Required",
        description: "Please sign in or create an account to apply for jobs.",
      },
    ],
  });
  expect((await press("poc", null)).toasts[0]?.description).toBe(
    "Please sign in or create an account to access contact details.",
  );
});

test("a button with a link to open, or an unknown button, shows no toast", async () => {
  expect((await press("portal", asha)).toasts).toEqual([]);
  expect((await press("constructor", asha)).toasts).toEqual([]);
});

test("a person who has seen too many contacts gets none from a button either", async () => {
  const phone = { ...job, id: "5a5b1c9e-0000-4000-8000-000000000004", pocContact: "98765 43210" };
  await db.insert(jobs).values(phone);
  onTestFinished(async () => void (await db.delete(jobs).where(eq(jobs.id, phone.id))));
  expect((await press("poc", asha, phone.id)).toasts[0]?.description).toBe("98765 43210");
  const limited = await press("poc", asha, phone.id, { hidesContact: true });
  expect(limited.toasts).toMatchObject([{ kind: "error", title: "Limit reached" }]);
});

test("a job without a contact names nobody, for everyone", async () => {
  const none = { pocName: null, pocContact: null, directApplicationLink: null };
  const unnamed = { ...job, ...none, id: "5a5b1c9e-0000-4000-8000-000000000005" };
  await db.insert(jobs).values(unnamed);
  onTestFinished(async () => void (await db.delete(jobs).where(eq(jobs.id, unnamed.id))));
  for (const actor of [null, asha]) {
    expect((await open(unnamed.id, actor)).contacts).toMatchObject({ hasContact: false });
    expect((await open(job.id, actor)).contacts).toMatchObject({ hasContact: true });
  }
  const limited = await press("poc", asha, unnamed.id, { hidesContact: true });
  expect(limited.toasts).toMatchObject([{ title: "Contact Information Missing" }]);
});

function openBoard(search: string, actor: Actor | null) {
  const request = new Request(`http://localhost/jobs${search}`);
  return board.loader({ request, ...askedBy(db, actor), params: {} } as never);
}

function open(jobId: string, actor: Actor | null) {
  const request = new Request(`http://localhost/jobs/${jobId}`);
  return screen.loader({ request, ...askedBy(db, actor), params: { jobId } } as never);
}

async function press(
  way: string,
  actor: Actor | null,
  jobId = job.id,
  facts: Partial<RequestFacts> = {},
): Promise<{ to: string | null; toasts: Toast[] }> {
  const { context, toasts } = askedBy(db, actor);
  context.set(requestFacts, { ...context.get(requestFacts), ...facts });
  const request = new Request(`http://localhost/jobs/${jobId}`, {
    method: "POST",
    body: new URLSearchParams({ way }),
  });
  const answer = await screen.action({ request, context, params: { jobId } } as never);
  return { to: answer.headers.get("Location"), toasts };
}
