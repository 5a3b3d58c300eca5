import { like, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Actor } from "../app/accounts/actor.server.ts";
import { listHistory } from "../app/admin/history.server.ts";
import { listQueuedMails } from "../app/admin/mail/manage-mails.server.ts";
import { listUsers } from "../app/admin/list-users.server.ts";
import { parseUsersQuery, userSorts } from "../app/admin/users-query.ts";
import { listReportedJobs } from "../app/checks/decide/list-reports.server.ts";
import { noDetails } from "../app/jobs/details.ts";
import { listListings } from "../app/jobs/manage/job-management.server.ts";
import { listJobsWithoutDetails } from "../app/jobs/suggest-details/accept-details.server.ts";
import { withoutDetails } from "../app/jobs/suggest-details/without-details.ts";
import { jobs } from "../app/jobs/tables.server.ts";
import { listOrdersToResolvePage } from "../app/payments/resolve/orders-to-resolve.server.ts";
import { now } from "../app/platform/clock.ts";
import {
  listAssignedReviews,
  listPendingReviews,
} from "../app/review-staff/assign/lists.server.ts";
import { assignedSorts } from "../app/review-staff/assign/reviews-query.ts";
import { readAssignmentsQuery } from "../app/review-staff/workspace/dashboard-query.ts";
import { listCompletedReviews } from "../app/review-staff/edit/completed-reviews.server.ts";
import { listOwnAssignments } from "../app/review-staff/workspace/find.server.ts";
import { listMessages } from "../app/support/answer/list-messages.server.ts";
import { insertManyJobs } from "../db/demo/many-jobs.server.ts";
import { insertManyForAdmins } from "./support/rows/many-for-admins.ts";
import { insertManyReviews } from "../db/demo/many-reviews.server.ts";
import { people, person } from "./support/rows/people.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";

/**
 * Staff lists with no rows, with a thousand rows of equal times and names, and with odd imported rows. Every
 * screen shows readable text, and paging returns every row once.
 */
const many = 1_000;

let app: RunningApp;
let gita: Actor;
let meera: Actor;
let devi: Actor;

beforeAll(async () => {
  app = await runningApp(async (db) => {
    ({ gita, meera, devi } = await people(db));
  });
});

const screens = (): [Actor, string[]][] => [
  [
    gita,
    [
      "/admin",
      "/admin/users",
      "/admin/users?sort=role.desc",
      "/admin/users?search=reviewer",
      "/admin/reviews",
      "/admin/reviews?type=combined_review",
      ...assignedSorts.map((by) => `/admin/reviews/assigned?sort=${by}.asc`),
      "/admin/reviews/completed",
      "/admin/reviews?search=odd",
      "/admin/reviews/assigned?search=nobody",
      "/admin/reviewers",
      "/admin/history",
      `/admin/history?by=${gita.id}`,
      `/admin/users/${meera.id}`,
      "/admin/mail",
      "/admin/mail?state=given-up",
      "/admin/messages",
      "/admin/messages?state=all&search=a",
      "/admin/messages?state=overdue",
      "/admin/messages?state=mine",
      "/admin/payments",
      "/admin/orders",
      "/admin/orders?state=refunded",
      "/admin/product",
      "/admin/jobs",
      "/admin/jobs?tab=archived",
      "/admin/jobs/details",
      "/admin/jobs/reports",
    ],
  ],
  [meera, ["/reviewer", "/reviewer?sort=priority", "/reviewer?tab=completed"]],
  [devi, ["/job-board", "/job-board?tab=archived"]],
];

test("every screen shows readable text when its list is empty", expectReadableText);

test("odd imported rows show as readable text", async () => {
  const { db } = app;
  const busy = await person(db, "No Profile", { roles: ["reviewer"] });
  const odd = await Promise.all(["A", "B", "C"].map((name) => person(db, `Odd ${name}`)));
  await db.execute(sql`update profiles set full_name = '  ' where id = ${odd[0]!.id}`);
  await db.execute(sql`update profiles set full_name = null where id = ${odd[1]!.id}`);
  await db.execute(sql`delete from profiles where id in (${odd[2]!.id}, ${busy.id})`);
  await db.execute(sql`insert into users (name, email, email_verified, created_at, updated_at) values
    ('', '', true, '1970-01-01', now()), ('<b>', '"><b>@example.com', false, now(), now()),
    ('Long', ${`${"x".repeat(300)}@example.com`}, true, '9999-01-01', now()),
    ('हिन्दी', 'जयपुर@example.com', true, now(), now()), ('O''Hara', 'o''hara+tag@example.com', true, now(), now())`);
  await db.execute(sql`insert into orders (order_id, amount, status, purpose, created_at, checkout_fields)
    select 'odd' || n, amount, 'success', '{}', now(), '{}' from unnest(array['', 'abc', 'NaN', '-199', '1e9', '199.999', '99999999', '199.00']) with ordinality as odd (amount, n)`);
  for (const [place, holder] of [busy, meera].entries()) {
    await db.execute(sql`
      with review as (
        insert into service_reviews (user_id, service_type, status, portfolio_url, priority, created_at)
        select buyer, 'portfolio_review', status, 'javascript:alert(1)', ${place}, '1900-01-01'
        from unnest(array[${sql.join(
          odd.map(({ id }) => sql`${id}::uuid`),
          sql`, `,
        )}]) buyer, unnest(array['pending', 'under_review', 'completed']) status returning id)
      insert into review_assignments (review_id, reviewer_id, assigned_at, completed_at)
      select id, ${holder.id}, '9999-01-01', case when row_number() over () % 2 = 0 then now() end from review`);
  }
  await db.execute(sql`insert into audit_events (at, actor_name, event, subject_type, subject_id, before, after)
    values (now(), '', 'unheard.of', 'planet', 'x', 'null', '[1, null, {"a": [2]}]'), (now(), 'Gita', 'review.edit', 'review', '', '7', '"text"')`);
  await db.execute(sql`insert into jobs (title, company, location, job_type, compensation, description, posted_at)
    values ('', '', '', 'Internship', '', '', '0001-01-01'), ('<b>UX Designer</b>', '"', '<mark>Pune', 'Full-time', '₹1e9 LPA', 'Figma', now()),
    (${"UX ".repeat(500)}, 'Long', ${"Pune, ".repeat(500)}, 'Part-time', ${"9".repeat(400)}, ${"Figma and Sketch ".repeat(5000)}, '9999-01-01')`);
  await expectReadableText();
  const own = await text(meera, "/reviewer?tab=completed");
  expect(own).toContain("Unknown date");
  const assigned = await text(gita, "/admin/reviews/assigned");
  expect(assigned).toContain("Unknown User");
  expect(await text(gita, "/admin")).toContain("₹199");
});

test("an unknown priority cannot be imported", async () => {
  const outside = app.db.execute(
    sql`insert into service_reviews (user_id, service_type, status, priority, created_at)
        values (${gita.id}, 'resume_review', 'pending', 4, now())`,
  );
  await expect(outside).rejects.toThrow();
});

test("a review's page rejects invalid ids", async () => {
  for (const id of ["", "1", "null", "%00", "a'b", "00000000-0000-0000-0000-000000000000"]) {
    const response = await get(gita, `/service-review/${id}`);
    expect([400, 404], id).toContain(response.status);
    expect(visibleText(await response.text())).toMatch(
      /Review ID is missing|You don't have permission/,
    );
  }
});

test("a thousand rows with equal times and names show as readable text", async () => {
  await insertManyReviews(app.db, many, now());
  await insertManyJobs(app.db, many, now());
  await app.db
    .update(jobs)
    .set({ ...noDetails })
    .where(like(jobs.title, "%a%"));
  await insertManyForAdmins(app.db, many, now());
  await app.db.execute(sql`insert into job_reports (job_id, email, reason, created_at, confirmed_at)
    select id, email || '@example.com', 'fake', now(), now()
    from jobs, unnest(array['a', 'b']) email where email = 'a' or title like '%e%'`);
  await expectReadableText();
});

const directions = ["asc", "desc"] as const;
const assignmentsWhere =
  "review_assignments join service_reviews on service_reviews.id = review_id where";

/** Each paged list in each sort order, with the rows it should return. */
const lists: [name: string, from: string, read: (after: string | null) => Promise<Page>][] = [
  ...userSorts.flatMap((by) =>
    directions.map((direction): (typeof lists)[number] => [
      `users by ${by}.${direction}`,
      "users",
      (after) => {
        const query = parseUsersQuery(new URLSearchParams(`sort=${by}.${direction}`));
        return listUsers(app.db, gita, { ...query, after });
      },
    ]),
  ),
  ...assignedSorts.flatMap((by) =>
    directions.map((direction): (typeof lists)[number] => [
      `assigned reviews by ${by}.${direction}`,
      `${assignmentsWhere} completed_at is null and status = 'under_review'`,
      (after) => listAssignedReviews(app.db, gita, { sort: { by, direction }, after }),
    ]),
  ),
  [
    "pending reviews",
    "service_reviews where status = 'pending'",
    (after) => listPendingReviews(app.db, gita, { type: null, after }),
  ],
  [
    "completed reviews",
    `${assignmentsWhere} completed_at is not null and status = 'completed'`,
    (after) => listCompletedReviews(app.db, gita, { after }),
  ],
  [
    "pending reviews that match a search",
    "service_reviews where status = 'pending' and search_text like '%p9%'",
    (after) => listPendingReviews(app.db, gita, { search: "p9", after }),
  ],
  [
    "assigned reviews that match a search",
    `${assignmentsWhere} completed_at is null and status = 'under_review' and search_text like '%example%'`,
    (after) => listAssignedReviews(app.db, gita, { search: "example", after }),
  ],
  [
    "completed reviews that match a search",
    `${assignmentsWhere} completed_at is not null and status = 'completed' and search_text like '%example%'`,
    (after) => listCompletedReviews(app.db, gita, { search: "example", after }),
  ],
  [
    "history",
    "audit_events",
    async (after) => {
      const { events, next } = await listHistory(app.db, gita, { type: null, id: null, after });
      return { rows: events, next };
    },
  ],
  ["mails", "mails", (after) => listQueuedMails(app.db, gita, { state: null, after })],
  [
    "mails given up",
    "mails where given_up_at is not null",
    (after) => listQueuedMails(app.db, gita, { state: "given-up", after }),
  ],
  [
    "messages",
    "contact_messages",
    (after) => listMessages(app.db, gita, { list: "all", search: "", after }),
  ],
  [
    "messages by deadline",
    "contact_messages where state = 'open'",
    (after) => listMessages(app.db, gita, { list: "open", search: "", after }),
  ],
  [
    "messages that match a search",
    "contact_messages where search_text like '%about 7%'",
    (after) => listMessages(app.db, gita, { list: "all", search: "about 7", after }),
  ],
  [
    "payments to resolve",
    "orders where status = 'pending' and next_check_at is null",
    async (after) => {
      const { rows, next } = await listOrdersToResolvePage(app.db, gita, after);
      return { rows: rows.map(({ orderId }) => ({ id: orderId })), next };
    },
  ],
  [
    "listings with reports",
    "(select distinct job_id from job_reports) as reported",
    (after) => listReportedJobs(app.db, gita, { after }),
  ],
  [
    "listings",
    "jobs where not is_archived",
    (after) => {
      const query = { isArchived: false, search: "", type: null, after };
      return listListings(app.db, gita, "all", query);
    },
  ],
  [
    "listings without details",
    `jobs where ${withoutDetails}`,
    (after) => listJobsWithoutDetails(app.db, gita, after),
  ],
];

test.each(lists)("paging through %s returns every row once", async (_name, from, read) => {
  const { rows } = await app.db.execute<{ count: string }>(sql.raw(`select count(*) from ${from}`));
  expectEachOnce(await pages(read), Number(rows[0]!.count));
});

test("a reviewer's dashboard pages through a thousand assignments without gaps, in every sort order", async () => {
  const { rows } = await app.db.execute<{ id: string; open: number }>(sql`
    select users.id, count(*) filter (where completed_at is null)::int as open
    from users join review_assignments on reviewer_id = users.id
    where email = 'busy1@example.com' group by users.id`);
  const busy = { ...meera, id: rows[0]!.id };
  for (const sort of ["sort=assigned", "sort=priority", "sort=priority&dir=asc"]) {
    const seen: { id: string }[] = [];
    let after: string | null = null;
    do {
      const query = readAssignmentsQuery(new URLSearchParams(`${sort}&show=48`));
      const page = await listOwnAssignments(app.db, busy, { ...query, after });
      seen.push(...page.assignments.map(({ reviewId }) => ({ id: reviewId })));
      after = page.next;
    } while (after !== null);
    expectEachOnce(seen, rows[0]!.open);
  }
});

async function expectReadableText() {
  for (const [actor, paths] of screens())
    for (const path of paths) {
      const content = await text(actor, path);
      expect(content, path).not.toMatch(/\b(NaN|undefined|null|Invalid Date)\b|\[object Object\]/);
    }
}

async function get(actor: Actor, path: string): Promise<Answer> {
  const cookie = await app.cookieOf(actor);
  return plainFetch(app.origin + path, { headers: { cookie } });
}

async function text(actor: Actor, path: string): Promise<string> {
  const response = await get(actor, path);
  expect(response.status, path).toBe(200);
  return visibleText(await response.text());
}

/** Returns a page's visible text. */
function visibleText(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'");
}

type Page = { rows: { id: string }[]; next: string | null };

async function pages(read: (after: string | null) => Promise<Page>): Promise<{ id: string }[]> {
  const rows: { id: string }[] = [];
  let after: string | null = null;
  do {
    const page: Page = await read(after);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}

function expectEachOnce(rows: { id: string }[], count: number) {
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
}
