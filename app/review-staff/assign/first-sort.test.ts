import { expect, test } from "vitest";
import { sentBy } from "../../../tests/support/requests/asked.ts";
import { testPeople } from "../../../tests/support/rows/test-people.ts";
import { requestFacts } from "../../platform/app-context.server.ts";
import { saveFirstSort, readFirstSort } from "./first-sort.server.ts";
import {
  buildReviewsAddress,
  dueSort,
  firstAssignedSort,
  readReviewsQuery,
} from "./reviews-query.ts";

const { db, gita } = await testPeople();

/** Presses the button on a list, and returns the address that it leads to and the cookie. */
async function press(dueFirst: string, path: string) {
  const sent = sentBy(db, gita, { intent: "due-first", dueFirst }, { path });
  const form = await sent.request.clone().formData();
  const answer = await saveFirstSort({ ...sent, form });
  const [cookie] = sent.context.get(requestFacts).setCookies;
  return { to: answer.headers.get("location"), cookie: cookie! };
}

function readFirst(cookie: string) {
  const { context, request } = sentBy(db, gita, {});
  request.headers.set("cookie", cookie);
  return readFirstSort({ request, context });
}

test("the list starts with the longest assigned, until a person chooses the ones due first", async () => {
  expect(readFirst("")).toEqual(firstAssignedSort);
  const path = "/admin/reviews/assigned";
  const chosen = await press("yes", `${path}?type=resume_review&sort=user.asc&after=x`);
  expect(chosen.to).toBe(`${path}?type=resume_review`);
  expect(chosen.cookie).toMatch(/^due-first=yes; Max-Age=31536000; /);
  expect(readFirst(chosen.cookie)).toEqual(dueSort);
  const undone = await press("", path);
  expect(undone.to).toBe(path);
  expect(undone.cookie).toContain("Max-Age=0");
});

test("an address without a sort has the chosen first one, and others name theirs", () => {
  const query = readReviewsQuery(new URLSearchParams(), dueSort);
  expect(query.sort).toEqual(dueSort);
  expect(buildReviewsAddress(query)).toBe(".");
  expect(buildReviewsAddress({ ...query, sort: firstAssignedSort })).toBe(
    "?sort=days_assigned.desc",
  );
});
