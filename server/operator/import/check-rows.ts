import { type SQL, sql } from "drizzle-orm";
import { staffRoleNames } from "../../../app/accounts/roles.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { getStagingTable } from "./stage-rows.ts";
import { type TableName, tableNames } from "./tables.ts";

/** Said of a row that an earlier run has brought in. */
export const isThere = "is there already";

/**
 * Notes at each staged row why it is not taken: because it need not be, or because it cannot be. A row that
 * belongs to one that is left out is left out with it.
 */
export async function checkRows(tx: Database): Promise<void> {
  for (const table of tableNames) {
    await tx.execute(sql`create index on ${getStagingTable(table)} (${keys[table]})`);
    await tx.execute(sql`analyze ${getStagingTable(table)}`);
  }
  await tx.execute(sql`create index on import_users (email)`);
  await tx.execute(sql`create index on import_review_assignments (review_id)`);
  for (const [table, checks] of Object.entries(checksOf) as [TableName, Check[]][])
    for (const { reason, isProblem, when } of [...listCommonChecks(table), ...checks])
      await tx.execute(sql`update ${getStagingTable(table)} as staged
        set reason = ${reason}, is_problem = ${isProblem} where reason is null and (${when})`);
}

type Check = { reason: SQL; isProblem: boolean; when: SQL };

const createProblemCheck = (reason: SQL, when: SQL): Check => ({ reason, isProblem: true, when });
const createSkipCheck = (reason: string, when: SQL): Check => ({
  reason: sql`${reason}::text`,
  isProblem: false,
  when,
});

const keys: Record<TableName, SQL> = {
  users: sql`id`,
  profiles: sql`id`,
  // One row for each role of a person.
  reviewers: sql`id, role`,
  jobs: sql`id`,
  service_reviews: sql`id`,
  review_assignments: sql`id`,
  review_images: sql`id`,
  review_files: sql`id`,
  orders: sql`order_id`,
  contact_messages: sql`id`,
};

function listCommonChecks(table: TableName): Check[] {
  const key = keys[table];
  const [own, other] =
    table === "reviewers"
      ? [sql`(staged.id, staged.role)`, sql`(other.id, other.role)`]
      : [sql`staged.${key}`, sql`other.${key}`];
  const there =
    table === "reviewers"
      ? sql`exists (select from staff_roles as other where (other.user_id, other.role) = ${own})`
      : sql`exists (select from ${sql.identifier(table)} as other where ${other} = ${own})`;
  return [
    createProblemCheck(
      sql`'has the key of line ' || (select min(line) from ${getStagingTable(table)} as other where ${other} = ${own})`,
      sql`exists (select from ${getStagingTable(table)} as other where ${other} = ${own} and other.line < staged.line)`,
    ),
    createSkipCheck(isThere, there),
  ];
}

/** Checks whether the thing that a row belongs to exists or is being imported. */
function checkBelongsTo(table: "users" | "service_reviews", column: string, what: string): Check[] {
  const id = sql`staged.${sql.identifier(column)}`;
  const isHere = sql`exists (select from ${sql.identifier(table)} as parent where parent.id = ${id})`;
  const among = (condition: SQL) =>
    sql`exists (select from ${getStagingTable(table)} as parent where parent.id = ${id} and ${condition})`;
  return [
    createSkipCheck(
      `belongs to ${what} that is left out`,
      sql`not ${isHere} and ${among(sql`not is_problem`)}`,
    ),
    createProblemCheck(
      sql`${`belongs to ${what} that is not there: `} || ${id}`,
      sql`not ${isHere} and not ${among(sql`reason is null`)}`,
    ),
  ];
}

const ofReview = checkBelongsTo("service_reviews", "review_id", "a review");

/** In an order in which what is referred to is decided first. */
const checksOf: Record<TableName, Check[]> = {
  users: [
    createSkipCheck("was deleted", sql`deleted_at is not null`),
    createSkipCheck("never confirmed the address", sql`email_confirmed_at is null`),
    createProblemCheck(
      sql`'has the address ' || email || ' of line ' || (select min(line) from import_users as other
        where other.email = staged.email and other.reason is null)`,
      sql`exists (select from import_users as other
        where other.email = staged.email and other.reason is null and other.line < staged.line)`,
    ),
    createProblemCheck(
      sql`'has the address ' || email || ', which an account of the product has'`,
      sql`exists (select from users where users.email = staged.email)`,
    ),
  ],
  profiles: checkBelongsTo("users", "id", "an account"),
  reviewers: [
    createSkipCheck("has no role of the staff", sql`role is null or role = 'user'`),
    createProblemCheck(
      sql`'has a role that is not known: ' || role`,
      sql`role not in ${staffRoleNames}`,
    ),
    ...checkBelongsTo("users", "id", "an account"),
  ],
  jobs: [],
  service_reviews: [
    ...checkBelongsTo("users", "user_id", "an account"),
    createProblemCheck(
      sql`'is under review, but nobody is assigned: it would be in no list'`,
      sql`status = 'under_review' and not exists
        (select from import_review_assignments as assigned where assigned.review_id = staged.id)`,
    ),
  ],
  review_assignments: [
    ...ofReview,
    ...checkBelongsTo("users", "reviewer_id", "an account"),
    createProblemCheck(
      sql`'is a second assignment of the review ' || review_id`,
      sql`exists (select from import_review_assignments as other where other.review_id = staged.review_id
          and other.reason is null and other.line < staged.line)
        or exists (select from review_assignments as other where other.review_id = staged.review_id)`,
    ),
  ],
  review_images: ofReview,
  review_files: ofReview,
  orders: [],
  contact_messages: [],
};
