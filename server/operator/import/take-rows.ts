import { sql } from "drizzle-orm";
import { getFirstCheck } from "../../../app/jobs/job-checks.server.ts";
import { recordAuditEvents } from "../../../app/platform/audit.server.ts";
import { now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";

/**
 * Imports every staged row without a problem. Ids, states and dates are preserved. An imported review has no
 * order (`order_id` is null), unlike one that was bought here.
 */
export async function importRows(tx: Database, counts: Record<string, number>): Promise<void> {
  const moment = now();
  const importedAt = moment.toISOString();
  const { checkDueAt } = getFirstCheck({ closesOn: null }, moment);
  await tx.execute(sql`
    insert into users (id, name, email, email_verified, created_at, updated_at, banned_until)
    select account.id, coalesce(profile.full_name, account.raw_user_meta_data, ''), account.email, true,
      account.created_at, ${importedAt}, account.banned_until
    from import_users as account
    left join import_profiles as profile on profile.id = account.id and profile.reason is null
    where account.reason is null`);
  await tx.execute(sql`
    insert into accounts (user_id, password, created_at, updated_at)
    select id, encrypted_password, created_at, ${importedAt}
    from import_users where reason is null`);
  await tx.execute(sql`
    insert into profiles (id, full_name, created_at, is_subscribed, subscription_ends_at, subscription_id, is_recurring)
    select users.id,
      coalesce(profile.full_name, account.raw_user_meta_data,
        (select full_name from import_reviewers as staff where staff.id = users.id and reason is null limit 1)),
      coalesce(profile.created_at, users.created_at), coalesce(profile.is_subscribed, false),
      profile.subscription_ends_at, profile.subscription_id, coalesce(profile.is_recurring, false)
    from users
    left join import_users as account on account.id = users.id and account.reason is null
    left join import_profiles as profile on profile.id = users.id and profile.reason is null
    where account.id is not null or profile.id is not null`);
  await tx.execute(sql`
    insert into staff_roles (user_id, role, created_at)
    select id, role, ${importedAt} from import_reviewers where reason is null`);
  await tx.execute(sql`
    insert into jobs (id, title, company, location, job_type, compensation, description, large_description,
      poc_name, poc_contact, portal_application_link, direct_application_link, created_by, posted_at,
      published_at, check_due_at, updated_at, is_archived)
    select job.id, title, company, location, job_type, compensation, coalesce(description, ''),
      large_description, poc_name, poc_contact, portal_application_link, direct_application_link,
      users.id, posted_at, posted_at, ${checkDueAt.toISOString()}, job.updated_at, coalesce(is_archived, false)
    from import_jobs as job left join users on users.id = job.created_by where job.reason is null`);
  await importReviews(tx);
  // Payments that were pending in the former system fail. A failed order can still become paid.
  await tx.execute(sql`
    insert into orders (order_id, buyer_id, amount, status, purpose, created_at, checkout_fields)
    select order_id, users.id, amount, case status when 'success' then status else 'failed' end,
      '{"kind": "imported"}', bought.created_at, '{}'
    from import_orders as bought left join users on users.id = bought.user_id
    where bought.reason is null`);
  await tx.execute(sql`
    insert into contact_messages (id, ticket, name, email, subject, message, created_at)
    select id, ticket, name, email, subject, message, created_at
    from import_contact_messages where reason is null`);
  await recordAuditEvents(tx, [
    {
      actor: "operator",
      event: "data.import",
      subject: { type: "import", id: importedAt },
      after: counts,
    },
  ]);
}

async function importReviews(tx: Database): Promise<void> {
  await tx.execute(sql`
    insert into service_reviews (id, user_id, service_type, status, resume_file_path, portfolio_url,
      portfolio_file_path, reviewer_feedback, priority, created_at)
    select id, user_id, service_type, status, resume_file_path, portfolio_url, portfolio_file_path,
      reviewer_feedback, coalesce(priority, 0), created_at
    from import_service_reviews where reason is null`);
  await tx.execute(sql`
    insert into review_assignments (id, review_id, reviewer_id, assigned_at, completed_at)
    select id, review_id, reviewer_id, assigned_at, completed_at
    from import_review_assignments where reason is null`);
  await tx.execute(sql`
    insert into review_images (id, review_id, image_url, annotation, created_at)
    select id, review_id, image_url, annotation, created_at from import_review_images where reason is null`);
  await tx.execute(sql`
    insert into review_files (id, review_id, file_url, file_name, file_type, description, created_at)
    select id, review_id, file_url, file_name, coalesce(file_type, 'application/octet-stream'), description,
      created_at
    from import_review_files where reason is null`);
}
