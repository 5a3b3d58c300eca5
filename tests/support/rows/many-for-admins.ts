import { sql } from "drizzle-orm";
import type { Database } from "../../../app/platform/database.server.ts";
import { fillFast } from "../../../db/demo/fill-fast.server.ts";

/**
 * Fills the lists of mails, contact messages and payments. One in ten mails fails, one in a hundred was given up.
 * One in ten messages is open. One in a hundred orders is to resolve. Times repeat.
 *
 * @param count the number of rows of each kind
 * @param until the newest time
 */
export async function insertManyForAdmins(db: Database, count: number, until: Date): Promise<void> {
  const numbers = sql`generate_series(1, ${count}::integer) n`;
  const createdAt = sql`${until.toISOString()}::timestamptz - (n / 3) * interval '1 second'`;
  await fillFast(db, ["mails", "contact_messages", "orders"], () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`
        insert into mails (cause, recipient, subject, html, text, created_at, sent_at, attempts, last_error, given_up_at)
        select 'recovery:' || n, 'p' || n || '@example.com', 'Create a new password', '', '', ${createdAt},
          case when n % 10 > 0 then ${createdAt} end, case when n % 10 = 0 then 3 else 0 end,
          case when n % 10 = 0 then '451 try later' end, case when n % 100 = 0 then ${createdAt} end
        from ${numbers}`);
      await tx.execute(sql`
        insert into contact_messages (ticket, name, email, subject, message, created_at, acknowledge_by, due_at,
          acknowledged_at, state)
        select 'N-' || n, 'Person ' || n, 'p' || n % 977 || '@example.com', 'A question about ' || n,
          repeat('When will it be done? ', n % 20), ${createdAt}, ${createdAt} + interval '48 hours',
          ${createdAt} + interval '1 month', case when n % 20 > 0 then ${createdAt} end,
          case when n % 10 = 0 then 'open' else 'answered' end
        from ${numbers}`);
      await tx.execute(sql`
        insert into orders (order_id, amount, status, purpose, created_at, checkout_fields, next_check_at)
        select 'TXN_MANY_' || n, '199.00', case when n % 100 = 0 then 'pending' else 'success' end, '{}', ${createdAt}, '{}', null
        from ${numbers}`);
    }),
  );
}
