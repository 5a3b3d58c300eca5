import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";
import { fillFast } from "./fill-fast.server.ts";

/** The reviewer with four fifths of all assignments. */
export const busiest = "busy1@example.com";

/**
 * Fills the staff's lists for benchmarks with this many people, reviews and history events. A third of the reviews
 * is pending, a third under review and a third completed. Times and names repeat, as after an import. Every
 * hundredth of the first 20,000 people is staff.
 *
 * @param count the number of rows of each kind
 * @param until the newest time
 */
export async function insertManyReviews(db: Database, count: number, until: Date): Promise<void> {
  const newest = sql`${until.toISOString()}::timestamptz`;
  await fillFast(
    db,
    ["users", "profiles", "staff_roles", "service_reviews", "review_assignments", "audit_events"],
    () =>
      db.transaction(async (tx) => {
        await insertPeople(tx, count, newest);
        await insertReviews(tx, count, newest);
        await insertHistory(tx, count, newest);
      }),
  );
}

async function insertPeople(tx: Database, count: number, newest: SQL): Promise<void> {
  const isStaff = sql`n % 100 = 0 and n <= 20000`;
  const role = sql`case n / 100 % 10 when 1 then 'god_admin' when 2 then 'job_board_adder' else 'reviewer' end`;
  await tx.execute(sql`
    insert into users (id, name, email, email_verified, created_at, updated_at, highest_role)
    select ${id("person", sql`n`)}, 'Person ' || n,
      case when n = 1 then ${busiest} else 'p' || n % 977 || '.' || ${surname} || n || '@example.com' end, true,
      ${newest} - (n / 3) * interval '1 minute', ${newest},
      case when n = 1 then 'reviewer' when ${isStaff} then ${role} else 'user' end
    from generate_series(1, ${count}::integer) n`);
  await tx.execute(sql`
    insert into profiles (id, full_name, created_at)
    select ${id("person", sql`n`)}, ${nameOf(sql`n`)}, ${newest} - (n / 3) * interval '1 minute'
    from generate_series(1, ${count}::integer) n`);
  await tx.execute(sql`
    insert into staff_roles (user_id, role, created_at)
    select ${id("person", sql`n`)}, ${role}, ${newest}
    from generate_series(1, ${count}::integer) n where ${isStaff}
    union select ${id("person", sql`1`)}, 'reviewer', ${newest}`);
}

async function insertReviews(tx: Database, count: number, newest: SQL): Promise<void> {
  const buyer = sql`1 + n * 7 % ${sql.raw(String(count))}`;
  const reviewer =
    count < 900 ? sql`1` : sql`case when n % 5 < 4 then 1 else 100 * (3 + n / 5 % 7) end`;
  const row = sql`
    select n, (array['pending', 'under_review', 'completed'])[1 + n % 3] as state,
      (array['resume_review', 'portfolio_review', 'combined_review'])[1 + n / 3 % 3] as kind,
      n / 2 % 4 as priority, ${newest} - (n / 7) * interval '1 minute' as submitted
    from generate_series(1, ${count}::bigint) n`;
  // Triggers, which copy names and other columns, are disabled while tables are filled.
  // Every tenth review has no due date, like imported ones.
  const due = sql`case when n % 10 > 0 then submitted + interval '48 hours' end`;
  await tx.execute(sql`
    insert into service_reviews (id, user_id, service_type, status, portfolio_url, reviewer_feedback, priority, created_at, due_at,
      search_text)
    select ${id("review", sql`n`)}, ${id("person", buyer)}, kind, state, 'https://example.com/portfolio/' || n,
      case when state = 'completed' then repeat('Good work. ', (n % 40)::integer) end, priority, submitted, ${due},
      customer_text(${id("person", buyer)})
    from (${row}) as made`);
  await tx.execute(sql`
    insert into review_assignments (review_id, reviewer_id, assigned_at, completed_at,
      service_type, review_status, priority, submitted_at, buyer_name, reviewer_name, shown_due_at, counted_due_at)
    select ${id("review", sql`n`)}, ${id("person", reviewer)}, ${newest} - (n / 5) * interval '1 minute',
      case when state = 'completed' then ${newest} - (n / 9) * interval '1 minute' end,
      kind, state, priority, submitted,
      coalesce(${nameOf(buyer)}, 'Unknown User'), coalesce(${nameOf(reviewer)}, 'Unknown'), ${due},
      case when state = 'completed' then ${due} end
    from (${row}) as made where state <> 'pending'`);
  await tx.execute(sql`select recount_review_days()`);
}

async function insertHistory(tx: Database, count: number, newest: SQL): Promise<void> {
  await tx.execute(sql`
    insert into audit_events (at, actor_name, event, subject_type, subject_id, before, after)
    select ${newest} - (n / 4) * interval '1 minute', 'Person ' || n % 9, 'review.prioritise', 'review',
      ${id("review", sql`1 + n % 1000`)}::text, '{"priority": 0}', '{"priority": 1}'
    from generate_series(1, ${count}::integer) n`);
}

const surnames = ["bhatt", "chopra", "ghosh", "iyer", "joshi", "menon", "nair", "sharma"];

const surname = sql.raw(
  `(array['${surnames.join("', '")}'])[1 + abs(hashint8(n)) % ${surnames.length}]`,
);

/** One person in fifty has no name, and names repeat. */
function nameOf(number: SQL): SQL {
  return sql`case when hashint8(${number}) % 50 <> 0 then 'Person ' || abs(hashint8(${number})) % 5000 end`;
}

/** Derives an id from a kind and a number. */
function id(kind: string, number: SQL): SQL {
  return sql`md5(${sql.raw(`'${kind}'`)} || ${number})::uuid`;
}
