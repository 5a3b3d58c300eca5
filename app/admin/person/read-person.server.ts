import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { type Actor, isSubscriptionActive, isBanned } from "../../accounts/actor.server.ts";
import { hasOtherGodAdmin } from "../../accounts/bans-and-roles.server.ts";
import { findOpenConsent } from "../../accounts/consents/consents.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { profiles, sessions, staffRoles, users } from "../../accounts/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now, formatShortDate, formatShortDateTime } from "../../platform/clock.ts";
import { type Database, isUuid } from "../../platform/database.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { countUpTo } from "../../platform/lists/list.server.ts";
import { countLabel } from "../../platform/lists/lists.ts";
import { auditEvents } from "../../platform/tables.server.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { findPublicState } from "../../reviews/reviewer-profile/introductions.server.ts";
import { reviewAssignments, serviceReviews } from "../../reviews/tables.server.ts";

/** A person's account as admins see it. */
type PersonFacts = Awaited<ReturnType<typeof getPerson>>;

/** Reads a person's account for an admin. @throws {NotFound} when there is no such person, or they closed it. */
export async function getPerson(db: Database, actor: Actor | null, userId: string) {
  authorize(actor, "user.oversee");
  const [account] = isUuid(userId) ? await selectAccount(db, userId) : [];
  if (!account) throw new NotFound("User not found");
  const { bannedUntil, isSubscribed, subscriptionEndsAt, isRecurring, ...facts } = account;
  const [roles, isOnlyGodAdmin, ban, sessionSummary, reviews, paid, others, sample, introduction] =
    await Promise.all([
      listUserRoles(db, userId),
      hasOtherGodAdmin(db, userId).then((hasOther) => !hasOther),
      bannedUntil && isBanned({ bannedUntil }, now()) ? getBan(db, userId, bannedUntil) : null,
      getSessionSummary(db, userId),
      countUserReviews(db, userId),
      countUpTo(db, orders, and(eq(orders.buyerId, userId), eq(orders.status, "success"))),
      countUpTo(db, orders, and(eq(orders.buyerId, userId), sql`${orders.status} <> 'success'`)),
      findOpenConsent(db, { userId }, "sample"),
      findPublicState(db, userId),
    ]);
  return {
    ...facts,
    subscription: isSubscriptionActive({ isSubscribed, subscriptionEndsAt, isRecurring }, now())
      ? { endsAt: subscriptionEndsAt, renews: Boolean(isRecurring) }
      : null,
    roles,
    /** The only god admin who can log in. */
    isLastGodAdmin: isOnlyGodAdmin && roles.some(({ role }) => role === "god_admin"),
    ban,
    sessions: sessionSummary,
    reviews,
    orders: { paid, others },
    /** When they allowed us to use a review as a sample. */
    sampleSince: sample?.givenAt ?? null,
    /** Null if they haven't written an introduction for customers. */
    introduction,
  };
}

function selectAccount(db: Database, userId: string) {
  return db
    .select({
      id: users.id,
      email: users.email,
      fullName: sql<string | null>`coalesce(${profiles.fullName}, ${users.name})`,
      phone: profiles.phone,
      registeredAt: users.createdAt,
      isConfirmed: users.emailVerified,
      bannedUntil: users.bannedUntil,
      isSubscribed: profiles.isSubscribed,
      subscriptionEndsAt: profiles.subscriptionEndsAt,
      isRecurring: profiles.isRecurring,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(and(eq(users.id, userId), isNull(users.closedAt)));
}

function listUserRoles(db: Database, userId: string) {
  return db
    .select({ role: staffRoles.role, since: staffRoles.createdAt })
    .from(staffRoles)
    .where(eq(staffRoles.userId, userId))
    .orderBy(staffRoles.role);
}

/** The audit log has the author and reason of the ban. */
async function getBan(db: Database, userId: string, until: Date) {
  const [event] = await db
    .select({
      since: auditEvents.at,
      by: auditEvents.actorName,
      reason: sql<string | null>`${auditEvents.after}->>'reason'`,
    })
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectId, userId), eq(auditEvents.event, "user.ban")))
    .orderBy(desc(auditEvents.at), desc(auditEvents.id))
    .limit(1);
  return {
    until,
    since: event?.since ?? null,
    by: event?.by ?? null,
    reason: event?.reason ?? null,
  };
}

async function getSessionSummary(db: Database, userId: string) {
  const [row] = await db
    .select({
      open: sql<number>`count(*)::int`,
      lastUsedAt: sql<Date | null>`max(${sessions.updatedAt})`.mapWith(sessions.updatedAt),
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now())));
  return row ?? { open: 0, lastUsedAt: null };
}

async function countUserReviews(db: Database, userId: string) {
  const own = eq(reviewAssignments.reviewerId, userId);
  const [bought, open, done] = await Promise.all([
    countUpTo(db, serviceReviews, eq(serviceReviews.userId, userId)),
    countUpTo(db, reviewAssignments, and(own, isNull(reviewAssignments.completedAt))),
    countUpTo(db, reviewAssignments, and(own, sql`${reviewAssignments.completedAt} is not null`)),
  ]);
  return { bought, open, done };
}

export type PersonView = ReturnType<typeof toPersonView>["person"];

/** Formats a person for their page. @param ownId the id of the signed-in admin */
export function toPersonView(facts: PersonFacts, ownId: string) {
  const { id, email, fullName, phone, subscription, sessions, ban } = facts;
  const { bought, open, done } = facts.reviews;
  const { lastUsedAt } = sessions;
  return {
    person: {
      id,
      email,
      name: fullName?.trim() || email,
      isSelf: id === ownId,
      isConfirmed: facts.isConfirmed,
      roles: facts.roles.map(({ role, since }) => ({ role, since: formatShortDate(since) })),
      isLastGodAdmin: facts.isLastGodAdmin,
      ban: ban && {
        ...ban,
        until: formatShortDate(ban.until),
        since: ban.since && formatShortDateTime(ban.since),
      },
      openReviews: countLabel(open),
    },
    account: {
      phone,
      registered: formatShortDateTime(facts.registeredAt),
      confirmed: facts.isConfirmed ? "Yes" : "Not yet",
      subscription: subscription
        ? [
            "Active",
            subscription.endsAt &&
              `${subscription.renews ? "renews" : "ends"} on ${formatShortDate(subscription.endsAt)}`,
          ]
            .filter(Boolean)
            .join(", ")
        : "None",
      bought: countLabel(bought),
      done: countLabel(done),
      paid: countLabel(facts.orders.paid),
      unpaid: countLabel(facts.orders.others),
      sample: facts.sampleSince
        ? `Allowed since ${formatShortDate(facts.sampleSince)}`
        : "Not allowed",
      introduction: facts.introduction && formatPublicState(facts.introduction),
    },
    sessions:
      sessions.open === 0 || !lastUsedAt
        ? "No active sessions."
        : `Signed in on ${countNoun(sessions.open, "device")}. Last active on or after ${formatShortDate(lastUsedAt)}.`,
  };
}

function formatPublicState({ hasAgreed, isShown }: NonNullable<PersonFacts["introduction"]>) {
  if (isShown) return "Yes";
  return hasAgreed ? "No, although they agreed" : "No";
}

const maxListed = 10;

/** Lists the ten newest reviews that a person bought. */
export async function listBoughtReviews(db: Database, actor: Actor | null, userId: string) {
  authorize(actor, "user.oversee");
  return db
    .select({
      id: serviceReviews.id,
      serviceType: serviceReviews.serviceType,
      secondLookOf: serviceReviews.secondLookOf,
      status: serviceReviews.status,
      createdAt: serviceReviews.createdAt,
    })
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, userId))
    .orderBy(desc(serviceReviews.createdAt))
    .limit(maxListed);
}

/** Lists the ten newest orders of a person. */
export async function listUserOrders(db: Database, actor: Actor | null, userId: string) {
  authorize(actor, "user.oversee");
  const rows = await db
    .select({
      orderId: orders.orderId,
      amountPaise: orders.amountPaise,
      status: orders.status,
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(eq(orders.buyerId, userId))
    .orderBy(desc(orders.createdAt))
    .limit(maxListed);
  return rows.map((order) => ({ ...order, amountPaise: order.amountPaise ?? 0 }));
}
