import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { hashPassword } from "../../app/accounts/passwords.server.ts";
import { accounts, profiles, staffRoles, users } from "../../app/accounts/tables.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import { updateSearchWords } from "../../app/jobs/search-words/update-search-words.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { getSellerFacts } from "../../app/payments/seller-facts.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { day, now, toIsoDay } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { reviewerAvailability, reviewerProfiles } from "../../app/reviews/tables.server.ts";
import { loadDemoAlerts } from "./alerts.server.ts";
import { loadDemoChecks } from "./checks.server.ts";
import { loadDemoCompanies } from "./companies.server.ts";
import { loadDemoConsents } from "./consents.server.ts";
import { loadDemoQuestions } from "./contact-questions.server.ts";
import { loadDemoDraft } from "./drafts.server.ts";
import { demoJobs } from "./jobs.ts";
import { loadDemoEarnings } from "./earnings.server.ts";
import { loadDemoHistory } from "./history.server.ts";
import { loadDemoMails } from "./mails.server.ts";
import { loadDemoMessages } from "./messages.server.ts";
import { loadDemoPages } from "./pages.server.ts";
import { demoPeople, crowd, type DemoPerson, demoPassword } from "./people.ts";
import { loadDemoRefunds } from "./refunds.server.ts";
import { loadDemoReports } from "./reports.server.ts";
import { type DemoIds, loadDemoReviews } from "./reviews.server.ts";
import { loadDemoHandBack } from "./handed-back.server.ts";
import { loadDemoOutcomes } from "./second-look.server.ts";
import { loadDemoReplies } from "./replies.server.ts";
import { loadDemoClosingMail, loadDemoTracker } from "./tracker.server.ts";

export const demoLock = 727_275;

/**
 * Loads the demo's people, jobs, orders, reviews, reports, tracked jobs, messages, emails and history, if there are no accounts
 * yet. A lock makes sure that only one of several processes loads them.
 *
 * @param config the product name and links in the emails, and the folder to render pages in
 * @returns false if the database was not empty and nothing was changed
 */
export async function loadDemo(
  db: Database,
  store: FileStore,
  config: Pick<
    Config,
    | "origin"
    | "product"
    | "reviewPrices"
    | "reviewFees"
    | "secondLooks"
    | "secrets"
    | "dataDir"
    | "rendersDemoPages"
  >,
): Promise<boolean> {
  const password = await hashPassword(demoPassword);
  return db.transaction(async (tx) => {
    // On a busy machine, the other process takes longer than a task may wait for a lock.
    await tx.execute(sql`set local lock_timeout = 0`);
    await tx.execute(sql`select pg_advisory_xact_lock(${demoLock})`);
    const { rows } = await tx.execute(sql`select 1 from users limit 1`);
    if (rows.length > 0) return false;
    const moment = now();
    const ids = await loadPeople(tx, password, moment);
    await loadDemoConsents(tx, ids, moment);
    await tx.insert(jobs).values(demoJobs(moment, ids.get("devi")!, ids.get("gita")!));
    await loadDemoChecks(tx, moment);
    await loadDemoCompanies(tx, demoFolder(), ids, moment);
    await loadDemoReplies(tx, moment);
    await loadDemoQuestions(tx, config, moment);
    await loadDemoAlerts(tx, config, ids, moment);
    await loadDemoReviews(tx, store, demoFolder(), ids, moment, config);
    await loadDemoOutcomes(tx, moment);
    await loadDemoHandBack(tx, ids, moment);
    await loadDemoDraft(tx, store, demoFolder(), ids, moment);
    await loadDemoRefunds(tx, ids, moment);
    await loadDemoEarnings(tx, ids, config.reviewFees);
    const { product } = config;
    await tx.update(orders).set(getSellerFacts(product, product.tax?.reviewCode));
    await loadDemoReports(tx, config, ids, moment);
    await loadDemoTracker(tx, ids, moment);
    await updateSearchWords(tx);
    await loadDemoClosingMail(tx, config, ids, moment);
    const events = [
      ...(await loadDemoMessages(tx, ids, moment)),
      ...(await loadDemoMails(tx, config, ids, moment)),
    ];
    await loadDemoHistory(tx, ids, events, moment);
    if (config.rendersDemoPages)
      await loadDemoPages(tx, store, { dataDir: config.dataDir, folder: demoFolder(), moment });
    return true;
  });
}

async function loadPeople(tx: Database, password: string, moment: Date): Promise<DemoIds> {
  const allPeople = [...demoPeople, ...crowd];
  const rows = await tx
    .insert(users)
    .values(
      allPeople.map((person, index) => {
        const createdAt = joined(person, index, moment);
        return {
          email: person.email,
          name: person.fullName,
          emailVerified: true,
          createdAt,
          updatedAt: createdAt,
        };
      }),
    )
    .returning({ id: users.id, email: users.email, createdAt: users.createdAt });
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  const people = allPeople.map((person) => ({ person, ...byEmail.get(person.email)! }));
  await tx.insert(accounts).values(
    people.map(({ id, createdAt }) => ({
      userId: id,
      password,
      createdAt,
      updatedAt: createdAt,
    })),
  );
  await tx.insert(profiles).values(
    people.map(({ id, createdAt, person }) => ({
      id,
      fullName: person.fullName,
      createdAt,
      isSubscribed: person.subscribed ?? false,
      subscriptionId: person.subscribed ? "SUB_demonstration" : null,
      subscriptionEndsAt: person.subscribed ? new Date(moment.getTime() + 25 * day) : null,
      isRecurring: person.subscribed ?? false,
    })),
  );
  await tx
    .insert(staffRoles)
    .values(
      people.flatMap(({ id, createdAt, person }) =>
        (person.roles ?? []).map((role) => ({ userId: id, role, createdAt })),
      ),
    );
  await tx.insert(reviewerProfiles).values(
    people.flatMap(({ id, createdAt, person: { introduction } }) =>
      introduction
        ? [
            {
              ...introduction,
              userId: id,
              updatedAt: createdAt,
              publicAt: createdAt,
              recordPublicAt: createdAt,
            },
          ]
        : [],
    ),
  );
  await tx.insert(reviewerAvailability).values(
    people.flatMap(({ id, person: { daysAway = null, reviewsADay = null } }) => {
      if (daysAway === null && reviewsADay === null) return [];
      const back = new Date(moment.getTime() + (daysAway ?? 0) * day);
      const awayUntil = daysAway === null ? null : toIsoDay(back);
      return [{ userId: id, awayUntil, reviewsADay, updatedAt: moment }];
    }),
  );
  return new Map(people.map(({ id, person }) => [person.key, id]));
}

/** The main demo people joined long ago, the others over the last two months. */
function joined(person: DemoPerson, index: number, moment: Date): Date {
  const daysAgo = demoPeople.includes(person) ? 120 + index : (index - demoPeople.length) * 1.7;
  return new Date(moment.getTime() - daysAgo * day);
}

/** The built server also runs from the project's root, where the sample files are. */
function demoFolder(): string {
  return fileURLToPath(new URL("db/demo/files/", `file://${process.cwd()}/`));
}
