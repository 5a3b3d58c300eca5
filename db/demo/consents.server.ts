import { consents } from "../../app/accounts/consents/tables.server.ts";
import { noticeVersion } from "../../app/accounts/consents/notice.ts";
import { neededPurposes } from "../../app/accounts/consents/rules.ts";
import { choosableMails, type ChoosableMail } from "../../app/accounts/mail-choices.ts";
import { chosenMails, users } from "../../app/accounts/tables.server.ts";
import { day } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { personOfOldNotice, personWithoutMails } from "./people.ts";
import type { DemoIds } from "./reviews.server.ts";

/** The notice under which the demo people joined. */
const earlierNotice = "2025-05-01";

/**
 * Loads the consents of the demo people, who accepted an earlier notice when they joined. All but one accepted the
 * current one too.
 */
export async function loadDemoConsents(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
  const people = await tx.select({ id: users.id, joinedAt: users.createdAt }).from(users);
  const current = people.filter(({ id }) => id !== ids.get(personOfOldNotice.key));
  await tx.insert(consents).values([
    ...people.map(({ id, joinedAt }) => ({
      userId: id,
      purpose: "account" as const,
      noticeVersion: earlierNotice,
      givenAt: joinedAt,
      how: "sign-up" as const,
    })),
    ...current.flatMap(({ id }) =>
      neededPurposes.map((purpose) => ({
        userId: id,
        purpose,
        noticeVersion,
        givenAt: moment,
        how: "notice" as const,
      })),
    ),
    {
      userId: ids.get("asha")!,
      purpose: "sample",
      noticeVersion,
      givenAt: moment,
      how: "profile",
    },
  ]);
  await loadWithdrawal(tx, ids.get(personWithoutMails.key)!, moment);
}

/** Loads a person who turned off all optional emails yesterday. */
async function loadWithdrawal(tx: Database, userId: string, moment: Date): Promise<void> {
  const withdrawnAt = new Date(moment.getTime() - day);
  const kinds = Object.keys(choosableMails) as ChoosableMail[];
  await tx
    .insert(chosenMails)
    .values(
      kinds.map((kind) => ({ userId, kind, choice: "never" as const, changedAt: withdrawnAt })),
    );
  await tx.insert(consents).values({
    userId,
    purpose: "mails",
    noticeVersion: earlierNotice,
    givenAt: new Date(withdrawnAt.getTime() - 5 * day),
    withdrawnAt,
    how: "profile",
  });
}
