import { sql } from "drizzle-orm";
import type { Database } from "../../app/platform/database.server.ts";

/**
 * Fills the staff's lists for measuring: as many people, and as many reviews that wait, that somebody
 * works on and that are completed. Moments and names repeat, as after an import. Each hundredth person
 * is staff; one reviewer, `busy1@example.com`, has four fifths of all assignments.
 *
 * @param count how many rows each list gets
 * @param until the newest moment
 */
export async function insertManyReviews(db: Database, count: number, until: Date): Promise<void> {
  const newest = sql`${until.toISOString()}::timestamptz`;
  await db.execute(sql`
    insert into users (id, name, email, email_verified, created_at, updated_at)
    select ${id("person", sql`n`)}, 'Person ' || n,
      case when n = 1 then 'busy1@example.com' else 'p' || n % 977 || '.number' || n || '@example.com' end, true,
      ${newest} - (n / 3) * interval '1 minute', ${newest}
    from generate_series(1, ${count}::integer) n`);
  await db.execute(sql`
    insert into profiles (id, full_name, created_at)
    select id, case when hashtext(name) % 50 = 0 then null else 'Person ' || abs(hashtext(name)) % 5000 end, created_at
    from users where email like '%@example.com' on conflict do nothing`);
  await db.execute(sql`
    insert into staff_roles (user_id, role, created_at)
    select ${id("person", sql`n`)}, case n / 100 % 10 when 1 then 'god_admin' when 2 then 'job_board_adder' else 'reviewer' end, ${newest}
    from generate_series(0, ${count}::integer) n where n % 100 = 0 and n > 0
    union select ${id("person", sql`1`)}, 'reviewer', ${newest}`);
  await db.execute(sql`
    insert into service_reviews (id, user_id, service_type, status, portfolio_url, reviewer_feedback, priority, created_at)
    select ${id("review", sql`n`)}, ${id("person", sql`1 + n % ${sql.raw(String(count))}`)},
      (array['resume_review', 'portfolio_review', 'combined_review'])[1 + n % 3], state,
      'https://example.com/portfolio/' || n, case when state = 'completed' then repeat('Good work. ', n % 40) end,
      n % 4, ${newest} - (n / 7) * interval '1 minute'
    from generate_series(1, 3 * ${count}::integer) n
    cross join lateral (select (array['pending', 'under_review', 'completed'])[1 + (n - 1) / ${sql.raw(String(count))}] as state) as of_list`);
  await db.execute(sql`
    insert into review_assignments (review_id, reviewer_id, assigned_at, completed_at)
    select ${id("review", sql`n`)},
      case when n % 5 < 4 or ${sql.raw(String(count))} < 300 then ${id("person", sql`1`)} else ${id("person", sql`300`)} end,
      ${newest} - (n / 5) * interval '1 minute',
      case when n > 2 * ${sql.raw(String(count))} then ${newest} - (n / 9) * interval '1 minute' end
    from generate_series(${count}::integer + 1, 3 * ${count}::integer) n`);
  await db.execute(sql`
    insert into audit_events (at, actor_name, event, subject_type, subject_id, before, after)
    select ${newest} - (n / 4) * interval '1 minute', 'Person ' || n % 9, 'review.prioritise', 'review',
      ${id("review", sql`1 + n % 50`)}::text, '{"priority": 0}', '{"priority": 1}'
    from generate_series(1, ${count}::integer) n`);
  await db.execute(
    sql`vacuum analyze users, profiles, staff_roles, service_reviews, review_assignments, audit_events`,
  );
}

/** The same id for the same thing at each call. */
function id(kind: string, number: ReturnType<typeof sql>) {
  return sql`md5(${sql.raw(`'${kind}'`)} || ${number})::uuid`;
}
