import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { day, now } from "../../platform/clock.ts";
import { Invalid } from "../../platform/errors.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { reviewerAvailability } from "../tables.server.ts";
import { formatAvailability, getAwayRange } from "./availability.ts";
import { findOwnAvailability, saveAvailability } from "./availability.server.ts";

const { db, meera, kabir } = await testPeople();

afterEach(() => {
  vi.useRealTimers();
});

const stopAt = (moment: string) => vi.useFakeTimers({ toFake: ["Date"], now: new Date(moment) });

test("a reviewer saves a date and a number, and empties them again", async () => {
  const { last } = getAwayRange(now());
  const chosen = { awayUntil: last, reviewsADay: 50 };
  await saveAvailability(db, meera, chosen);
  await saveAvailability(db, meera, chosen);
  expect(await findOwnAvailability(db, meera)).toEqual(chosen);
  expect(await findOwnAvailability(db, kabir)).toEqual({ awayUntil: null, reviewsADay: null });
  await saveAvailability(db, meera, { awayUntil: null, reviewsADay: null });
  expect(await findOwnAvailability(db, meera)).toEqual({ awayUntil: null, reviewsADay: null });
  const events = await db.select().from(auditEvents).where(eq(auditEvents.actorId, meera.id));
  expect(events.map(({ event }) => event)).toEqual([
    "reviewer.set-availability",
    "reviewer.set-availability",
  ]);
});

test("a date is within 180 days from today in India", async () => {
  // 00:30 on December 1 in India.
  stopAt("2026-11-30T19:00:00Z");
  const save = (awayUntil: string) => saveAvailability(db, meera, { awayUntil, reviewsADay: null });
  await save("2026-12-01");
  await save("2027-05-30");
  for (const wrong of ["2026-11-30", "2027-05-31", "2026-13-01", "2027-02-30", "soon", "1e3"])
    await expect(save(wrong), wrong).rejects.toThrow("from today to May 30, 2027");
});

test("a number a day is a whole number from 1 to 50", async () => {
  for (const reviewsADay of [0, 51, -1, 1.5, NaN, Infinity])
    await expect(
      saveAvailability(db, meera, { awayUntil: null, reviewsADay }),
      String(reviewsADay),
    ).rejects.toThrow(Invalid);
});

test("a date in the past counts as none", async () => {
  stopAt("2026-12-02T10:00:00Z");
  await saveAvailability(db, kabir, { awayUntil: "2026-12-02", reviewsADay: 3 });
  expect((await findOwnAvailability(db, kabir)).awayUntil).toBe("2026-12-02");
  vi.setSystemTime(new Date(now().getTime() + day));
  expect(await findOwnAvailability(db, kabir)).toEqual({ awayUntil: null, reviewsADay: 3 });
});

test("the first two saves at the same moment leave one row", async () => {
  await db.delete(reviewerAvailability);
  await Promise.all(
    [2, 3].map((reviewsADay) => saveAvailability(db, kabir, { awayUntil: null, reviewsADay })),
  );
  expect(await db.$count(reviewerAvailability)).toBe(1);
});

test("availability reads as one short text", () => {
  const both = { awayUntil: "2026-12-02", reviewsADay: 5, assignedToday: 3 };
  expect(formatAvailability(both)).toBe("Away until Dec 2, 2026, 3 of 5 today");
  expect(formatAvailability({ ...both, awayUntil: null })).toBe("3 of 5 today");
  expect(formatAvailability({ ...both, awayUntil: null, reviewsADay: null })).toBe("");
});
