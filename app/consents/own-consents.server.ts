import type { Actor } from "../accounts/actor.server.ts";
import {
  findOpenConsent,
  listConsentHistory,
  listLatestConsents,
  recordConsent,
  withdrawConsent,
} from "../accounts/consents/consents.server.ts";
import { neededPurposes, type WithdrawablePurpose } from "../accounts/consents/rules.ts";
import {
  hasOptionalMails,
  resetMailChoices,
  stopOptionalMails,
} from "../accounts/mail-choices/mail-choices.server.ts";
import { authorize } from "../accounts/permissions.server.ts";
import { lockPerson } from "../accounts/session.server.ts";
import { countOpenShares } from "../annotations/share/find-shares.server.ts";
import { closeOwnShares } from "../annotations/share/shares.server.ts";
import { getOwnContact } from "../checks/question/own-contact.server.ts";
import type { Database } from "../platform/database.server.ts";
import { countOwnAlerts, stopAllOwnAlerts } from "../seekers/alerts/own-alerts.server.ts";

/**
 * Withdraws the actor's own consent and ends everything that depends on it, in one transaction. Does nothing if it is
 * withdrawn already.
 */
export async function withdrawOwnConsent(
  db: Database,
  actor: Actor | null,
  purpose: Exclude<WithdrawablePurpose, "contact">,
): Promise<void> {
  authorize(actor, "consent.change");
  const person = { userId: actor.id };
  if (purpose === "mails") return stopOptionalMails(db, actor);
  if (purpose === "alerts") return stopAllOwnAlerts(db, actor);
  await db.transaction(async (tx) => {
    await lockPerson(tx, actor.id);
    if (purpose === "share") await closeOwnShares(tx, actor.id);
    await withdrawConsent(tx, person, purpose);
  });
}

/**
 * Gives the actor's consent. Does nothing if it is given already. Creating a link gives the one to share, and asking for
 * an alert the one to alerts.
 */
export async function recordOwnConsent(
  db: Database,
  actor: Actor | null,
  purpose: Exclude<WithdrawablePurpose, "share" | "alerts" | "contact">,
): Promise<void> {
  authorize(actor, "consent.change");
  if (purpose === "mails") return resetMailChoices(db, actor);
  await db.transaction((tx) =>
    recordConsent(tx, { userId: actor.id }, { purpose, how: "profile" }),
  );
}

/** Records that the actor accepts the current privacy notice and the terms, and is an adult. */
export async function acceptNotice(db: Database, actor: Actor | null): Promise<void> {
  authorize(actor, "consent.change");
  await db.transaction(async (tx) => {
    for (const purpose of neededPurposes)
      await recordConsent(tx, { userId: actor.id }, { purpose, how: "notice" });
  });
}

/** A person's consents, and the facts that they follow. */
export type OwnConsents = Awaited<ReturnType<typeof getOwnConsents>>;

/** The number of entries in the history. */
const maxListed = 50;

/** Returns the actor's own consents and their newest changes. */
export async function getOwnConsents(db: Database, actor: Actor) {
  const person = { userId: actor.id };
  const [latest, asAddress, hasMails, openLinks, openAlerts, history, contact] = await Promise.all([
    listLatestConsents(db, person),
    // They may have asked for alerts while logged out.
    findOpenConsent(db, { email: actor.email }, "alerts"),
    hasOptionalMails(db, actor),
    countOpenShares(db, actor),
    countOwnAlerts(db, actor),
    listConsentHistory(db, person, maxListed),
    getOwnContact(db, actor),
  ]);
  return {
    latest: Object.fromEntries(
      [...latest, ...(asAddress ? [asAddress] : [])].map((consent) => [consent.purpose, consent]),
    ),
    hasMails,
    openLinks,
    openAlerts,
    history,
    contact,
  };
}
