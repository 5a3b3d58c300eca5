import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { company } from "../../../tests/support/rows/companies.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { replyRecords } from "../../jobs/tables.server.ts";
import { listOwnReplies } from "./own-replies.server.ts";

const { db } = await testDatabase();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-25T06:30:00Z") });
  onTestFinished(() => void vi.useRealTimers());
});

async function record(companyId: string, week: string, within: number, later: number) {
  const companyKey = `company:${companyId}`;
  await db.insert(replyRecords).values({ companyKey, week, people: 9, within, later });
}

test("members read what everyone reads, and what everyone will read from Monday on", async () => {
  const own = await company(db);
  expect(await listOwnReplies(db, [own])).toEqual([]);
  await record(own.id, "2026-11-23", 7, 1);
  const next = {
    company: own.name,
    now: null,
    next: "Most got a reply within 2 weeks (7 of 9). 1 person got a reply later.",
    nextFrom: "Nov 30, 2026",
  };
  expect(await listOwnReplies(db, [own])).toEqual([next]);
  await record(own.id, "2026-11-16", 2, 0);
  const now = "Few got a reply within 2 weeks (2 of 9).";
  expect(await listOwnReplies(db, [own])).toEqual([{ ...next, now }]);
});

test("members read that a record ends, and nothing of other companies", async () => {
  const [own, other] = [await company(db), await company(db)];
  await record(own.id, "2026-11-16", 4, 0);
  await record(other.id, "2026-11-16", 9, 0);
  await record(own.id, "2026-11-09", 9, 0);
  expect(await listOwnReplies(db, [own])).toMatchObject([
    {
      now: "Some got a reply within 2 weeks (4 of 9).",
      next: "Nothing, because fewer than five people answered.",
    },
  ]);
});
