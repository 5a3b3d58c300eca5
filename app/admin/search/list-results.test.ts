import { expect, test } from "vitest";
import { startedOrder } from "../../../tests/support/payments/payments.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import {
  assignedReview,
  completedReview,
  pendingReview,
} from "../../../tests/support/rows/review-states.ts";
import { listFoundItems } from "./list-results.server.ts";

const { db, ...who } = await testPeople();
const search = async (text: string) =>
  new Map(
    (await listFoundItems(db, who.gita, text)).map(({ name, results }) => [
      name,
      results.map(({ to }) => to),
    ]),
  );

test("an empty search lists the screens, each once", async () => {
  const found = await search("");
  expect([...found.keys()]).toEqual(["Screens"]);
  const screens = found.get("Screens")!;
  expect(screens).toContain("/admin/history");
  expect(new Set(screens).size).toBe(screens.length);
});

test("people are found by name, email address and the beginning of their id", async () => {
  const leela = await person(db, "Leela Nambiar");
  const to = `/admin/users/${leela.id}`;
  for (const text of ["nambiar", "LEELA", leela.email, leela.id, leela.id.slice(0, 8)])
    expect((await search(text)).get("People"), text).toContain(to);
  expect((await search("nobody-like-this")).size).toBe(0);
});

test("reviews are found by id and by customer, in the list of their status", async () => {
  const omar = await person(db, "Omar Qadri");
  const pending = await pendingReview(db, omar);
  const assigned = await assignedReview(db, omar, who.meera);
  const completed = await completedReview(db, omar, who.meera);
  expect((await search("qadri")).get("Reviews")).toHaveLength(3);
  expect((await search(pending)).get("Reviews")).toEqual([`/admin/reviews?search=${pending}`]);
  expect((await search(assigned.slice(0, 13))).get("Reviews")).toEqual([
    `/admin/reviews/assigned?search=${assigned}`,
  ]);
  expect((await search(completed)).get("Reviews")).toEqual([
    `/admin/reviews/completed?search=${completed}`,
  ]);
});

test("orders are found by transaction ID and by buyer", async () => {
  const tara = await person(db, "Tara Desai");
  const { orderId } = await startedOrder(db, tara);
  for (const text of [orderId, "tara desai", tara.email])
    expect((await search(text)).get("Orders"), text).toEqual([`/admin/orders/${orderId}`]);
});

test("screens are found by a part of their name", async () => {
  expect((await search("audit")).get("Screens")).toEqual(["/admin/history"]);
});

test("wildcards, quotes and long texts match nothing", async () => {
  for (const text of ["%", "_", "'; drop table users; --", "x".repeat(200), "deadbeef".repeat(5)])
    expect((await search(text)).get("People") ?? [], text).toEqual([]);
});
