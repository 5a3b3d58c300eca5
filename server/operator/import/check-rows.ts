import { type SQL, sql } from "drizzle-orm";
import { staffRoleNames } from "../../../app/accounts/roles.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { getStagingTable } from "./stage-rows.ts";
import { type TableName, tableNames } from "./tables.ts";

/** The reason for skipping a row that an earlier run imported. */
export const alreadyImported = "already exists";

/**
 * Sets the reason on each staged row that is not imported, because it is unnecessary or invalid. Rows that
 * belong to a skipped row are skipped too.
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
  const existing =
    table === "reviewers"
      ? sql`exists (select from staff_roles as other where (other.user_id, other.role) = ${own})`
      : sql`exists (select from ${sql.identifier(table)} as other where ${other} = ${own})`;
  return [
    createProblemCheck(
      sql`'has the same key as line ' ||  (select min(line) from ${getStagingTable(table)} as other where ${other} = ${own})`,
      sql`exists (select from ${getStagingTable(table)} as other where ${other} = ${own} and other.line < staged.line)`,
    ),
    createSkipCheck(alreadyImported, existing),
  ];
}

/** Checks that the parent of a row exists or is being imported. */
function checkBelongsTo(table: "users" | "service_reviews", column: string, what: string): Check[] {
  const id = sql`staged.${sql.identifier(column)}`;
  const exists = sql`exists (select from ${sql.identifier(table)} as parent where parent.id = ${id})`;
  const isStaged = (condition: SQL) =>
    sql`exists (select from ${getStagingTable(table)} as parent where parent.id = ${id} and ${condition})`;
  return [
    createSkipCheck(
      `belongs to ${what} that is skipped`,
      sql`not ${exists} and ${isStaged(sql`not is_problem`)}`,
    ),
    createProblemCheck(
      sql`${`belongs to ${what} that does not exist: `} || ${id}`,
      sql`not ${exists} and not ${isStaged(sql`reason is null`)}`,
    ),
  ];
}

const ofReview = checkBelongsTo("service_reviews", "review_id", "a review");

/** Referenced tables are checked first. */
const checksOf: Record<TableName, Check[]> = {
  users: [
    createSkipCheck("was deleted", sql`deleted_at is not null`),
    createSkipCheck("never confirmed the email address", sql`email_confirmed_at is null`),
    createProblemCheck(
      sql`'has the same email as line ' || (select min(line) from import_users as other
        where other.email = staged.email and other.reason is null) || ': ' || email`,
      sql`exists (select from import_users as other
        where other.email = staged.email and other.reason is null and other.line < staged.line)`,
    ),
    createProblemCheck(
      sql`'has the email of an existing account: ' || email`,
      sql`exists (select from users where users.email = staged.email)`,
    ),
  ],
  profiles: checkBelongsTo("users", "id", "an account"),
  reviewers: [
    createSkipCheck("has no staff role", sql`role is null or role = 'user'`),
    createProblemCheck(sql`'has an unknown role: ' || role`, sql`role not in ${staffRoleNames}`),
    ...checkBelongsTo("users", "id", "an account"),
  ],
  jobs: [],
  service_reviews: [
    ...checkBelongsTo("users", "user_id", "an account"),
    createProblemCheck(
      sql`'is under review without a reviewer, so no list would show it'`,
      sql`status = 'under_review' and not exists
        (select from import_review_assignments as assigned where assigned.review_id = staged.id)`,
    ),
  ],
  review_assignments: [
    ...ofReview,
    ...checkBelongsTo("users", "reviewer_id", "an account"),
    createProblemCheck(
      sql`'is a second assignment for the review ' || review_id`,
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
