import { and, notInArray, type SQL, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { buildOrder, countUpTo, readPage, readPageOrLast } from "./list.server.ts";
import { countLabel, writeQuery } from "./lists.ts";
import { readSort, writeSort } from "./sorts.ts";
import { auditEvents } from "../tables.server.ts";

const { db } = await testDatabase();

beforeAll(async () => {
  await db.execute(sql`
    insert into audit_events (at, actor_name, event, subject_type, subject_id)
    select '2026-01-01Z'::timestamptz + n / 3 * interval '1 minute', 'Gita', 'job.edit', 'job', n
    from generate_series(1, 23) n`);
});

type Event = { id: string; at: Date };

const oldestFirst = buildOrder("asc", { at: auditEvents.at, id: auditEvents.id }, "at.asc");

const page = (cursor: string | null, order = oldestFirst) =>
  readPage(order, { cursor, size: 5 }, (part) =>
    db
      .select({ id: auditEvents.id, at: auditEvents.at })
      .from(auditEvents)
      .where(part.where)
      .orderBy(...part.orderBy)
      .limit(part.limit),
  );

test.each(["asc", "desc"] as const)(
  "paging back shows the same pages as paging forward, %s",
  async (direction) => {
    const order = { ...oldestFirst, direction };
    const forward = [await page(null, order)];
    while (forward.at(-1)!.next) forward.push(await page(forward.at(-1)!.next, order));
    expect(forward.map(({ rows }) => rows.length)).toEqual([5, 5, 5, 5, 3]);
    expect(forward[0]!.previous).toBeNull();
    let current = forward.at(-1)!;
    for (const expected of forward.slice(0, -1).toReversed()) {
      current = await page(current.previous, order);
      expect(current.rows).toEqual(expected.rows);
      expect((await page(current.next, order)).rows).not.toEqual(current.rows);
    }
    expect(current.previous).toBeNull();
  },
);

test("the page before a page near the start is a full first page", async () => {
  const { rows } = await page(null);
  const second = Buffer.from(
    JSON.stringify(["at.asc", "after", rows[1]!.at.getTime(), rows[1]!.id]),
  ).toString("base64url");
  const { previous } = await page(second);
  expect((await page(previous)).rows).toEqual(rows);
});

test.each(["asc", "desc"] as const)(
  "if no rows are left after the cursor, the last page is shown, %s",
  async (direction) => {
    const order = { ...oldestFirst, direction };
    const orLast = (cursor: string | null, isLeft: SQL) =>
      readPageOrLast(order, { cursor, size: 5 }, (part) =>
        db
          .select({ id: auditEvents.id, at: auditEvents.at })
          .from(auditEvents)
          .where(and(isLeft, part.where))
          .orderBy(...part.orderBy)
          .limit(part.limit),
      );
    const first = await page(null, order);
    const second = await page(first.next, order);
    const without = (rows: Event[]) =>
      notInArray(
        auditEvents.id,
        rows.map(({ id }) => id),
      );
    let cursor = second.next;
    const removed: Event[] = [];
    while (cursor) {
      const behind = await page(cursor, order);
      removed.push(...behind.rows);
      cursor = behind.next;
    }
    const last = await orLast(second.next, without(removed));
    expect(last.rows).toEqual(second.rows);
    expect(last.next).toBeNull();
    expect((await orLast(last.previous, without(removed))).rows).toEqual(first.rows);
    expect(await orLast(second.next, without([...second.rows, ...removed]))).toEqual({
      rows: first.rows,
      previous: null,
      next: null,
    });
    expect(await orLast(second.next, sql`false`)).toEqual({ rows: [], previous: null, next: null });
  },
);

test("an invalid cursor shows the first page", async () => {
  const { rows, next } = await page(null);
  const others = [
    '["at.asc","after",8.64e15,"00000000-0000-4000-8000-000000000000"]',
    '["at.asc","beside",0,"00000000-0000-4000-8000-000000000000"]',
    '["at.asc","after",0]',
    '["at.asc","after",0,"no id"]',
    '{"after":1}',
    "[",
  ].map((text) => Buffer.from(text).toString("base64url"));
  for (const cursor of ["", "x", ...others]) expect((await page(cursor)).rows).toEqual(rows);
  const { rows: ofOther } = await page(next, { ...oldestFirst, name: "at.desc" });
  expect(ofOther).toEqual(rows);
});

test("rows are counted up to a limit", async () => {
  expect(await countUpTo(db, auditEvents, undefined)).toEqual({ counted: 23, isMore: false });
  expect(await countUpTo(db, auditEvents, undefined, { max: 23 })).toMatchObject({
    isMore: false,
  });
  const bounded = await countUpTo(db, auditEvents, undefined, { max: 22 });
  expect(bounded).toEqual({ counted: 22, isMore: true });
  expect(countLabel(bounded)).toBe("22+");
  expect(countLabel({ counted: 1000, isMore: true })).toBe("1,000+");
});

test("an invalid sort in the address is the first sort", () => {
  const first = { by: "name", direction: "desc" } as const;
  const names = ["name", "age"] as const;
  expect(readSort("age.asc", names, first)).toEqual({ by: "age", direction: "asc" });
  for (const none of [null, "", "age", "age.up", "size.asc"])
    expect(readSort(none, names, first)).toEqual(first);
  expect(writeSort(first)).toBe("name.desc");
});

test("an address contains only non-empty parameters, encoded", () => {
  const query = { search: "A & B", state: null, after: undefined, by: "" };
  expect(writeQuery(query)).toBe("?search=A+%26+B");
  expect(writeQuery({ ...query, search: "" })).toBe("");
});
