import {
  and,
  desc,
  eq,
  exists,
  gt,
  inArray,
  not,
  or,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import { profiles } from "../../accounts/tables.server.ts";
import { formatDecimalRupees } from "../../payments/money.ts";
import type { Payments } from "../../payments/payments.server.ts";
import { type StartedOrder, startOrder } from "../../payments/start-order.server.ts";
import { orderEvents, orders } from "../../payments/tables.server.ts";
import { day, minute, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, createPreparedQuery } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { saveDraftBrief, toBrief, type SentBrief } from "../../reviews/brief/brief.server.ts";
import { getServiceLabel, services, type ServiceType } from "../../reviews/rules.ts";
import { reviewDrafts, reviewOrders } from "../../reviews/tables.server.ts";
import { isOwnDraft, portfolioFiles, resumeFiles, getMaterialsVersion } from "./drafts.server.ts";
import { findMissingPart, materialsChanged, materialsGone, missingParts } from "./submission.ts";

type Payer = { id: string; email: string; fullName: string | null };
type Parts = { config: Config; payments: Pick<Payments, "settings"> };

/** Marks an order as one for a review, for its delivery. */
export type ReviewPurpose = { kind: "review" };
const reviewPurpose: ReviewPurpose = { kind: "review" };

export const earlierPaymentUnsettled =
  "An earlier payment for this review may still succeed. Please read the note before you pay again.";

/**
 * Begins to pay for what this person has gathered, at the price of our own list. A repeated submit
 * of the same materials leads to the same payment, as long as its buyer is still away to pay it; it is
 * then for the brief that was sent last.
 *
 * @param phone ten digits, kept in the profile; null for none
 * @param despite the unsettled payment that the person was told of and pays again in spite of
 * @param version of the draft that they looked over; undefined if that is not known
 * @param brief is kept in the draft; without it, the one that is there stays
 * @throws {Invalid} naming the part that is missing.
 * @throws {Conflict} when an earlier payment may still succeed and they were not told, or the materials
 * are others than they saw.
 * @throws {NotFound} when their profile cannot be read.
 * @throws {TooMany} when they began too many payments in a while.
 */
export async function startReviewPayment(
  db: Database,
  parts: Parts,
  actor: Payer,
  serviceType: ServiceType,
  {
    phone,
    despite = null,
    version,
    brief,
  }: { phone: string | null; despite?: string | null; version?: string; brief?: SentBrief },
): Promise<StartedOrder> {
  const service = services[serviceType];
  return db.transaction(async (tx) => {
    if (brief) await saveDraftBrief(tx, actor, serviceType, await toBrief(tx, brief));
    const materials = await lockMaterials(tx, actor, serviceType, version);
    const fullName = await savePhone(tx, actor, phone);

    const begun = await findStartedOrder(tx, actor, materials);
    const asBefore = {
      amount: formatDecimalRupees(service.pricePaise),
      phone: phone ?? parts.payments.settings.placeholderPhone,
    };
    if (begun && begun.fields.amount === asBefore.amount && begun.fields.phone === asBefore.phone) {
      await tx
        .update(reviewOrders)
        .set({ brief: materials.brief })
        .where(eq(reviewOrders.orderId, begun.orderId));
      return { ...begun, checkoutUrl: parts.payments.settings.checkoutUrl };
    }
    const earlier = await findBlockingPayment(tx, actor, serviceType);
    if (earlier && earlier.orderId !== despite) throw new Conflict(earlierPaymentUnsettled);

    const started = await startOrder(tx, parts, {
      buyer: { id: actor.id, email: actor.email, fullName: fullName ?? actor.fullName, phone },
      amountPaise: service.pricePaise,
      productInfo: service.shortLabel,
      serviceType,
      purpose: reviewPurpose,
      retryPath: `${service.path}?step=payment`,
    });
    await tx.insert(reviewOrders).values({ orderId: started.orderId, ...materials });
    return started;
  });
}

/** Two submits of one draft wait for each other here, so that the second finds the order of the first. */
async function lockMaterials(
  tx: Database,
  actor: Payer,
  serviceType: ServiceType,
  seen: string | undefined,
): Promise<OrderedMaterials> {
  const [draft] = await tx
    .select({
      id: reviewDrafts.id,
      revision: reviewDrafts.revision,
      resume: resumeFiles.path,
      portfolio: portfolioFiles.path,
      portfolioUrl: reviewDrafts.portfolioUrl,
      brief: reviewDrafts.brief,
    })
    .from(reviewDrafts)
    .leftJoin(resumeFiles, eq(resumeFiles.id, reviewDrafts.resumeFileId))
    .leftJoin(portfolioFiles, eq(portfolioFiles.id, reviewDrafts.portfolioFileId))
    .where(isOwnDraft(actor, serviceType))
    .for("update", { of: reviewDrafts });
  const service = services[serviceType];
  const missing = findMissingPart(service, draft ?? nothing);
  if (seen && (!draft || getMaterialsVersion(draft) !== seen))
    throw new Conflict(missing ? materialsGone : materialsChanged);
  if (!draft || missing) {
    const part = missing ?? "resume";
    throw new Invalid({ [part]: missingParts[part].description });
  }
  return {
    draftId: draft.id,
    draftRevision: draft.revision,
    serviceType,
    resumeFilePath: draft.resume,
    portfolioUrl: draft.portfolioUrl,
    portfolioFilePath: draft.portfolio,
    brief: draft.brief,
  };
}

const nothing = { resume: null, portfolio: null, portfolioUrl: null };

/** @returns the payer's name */
async function savePhone(tx: Database, actor: Payer, phone: string | null): Promise<string | null> {
  const [profile] = await tx
    .update(profiles)
    .set({ phone })
    .where(eq(profiles.id, actor.id))
    .returning({ fullName: profiles.fullName });
  if (!profile) throw new NotFound("Could not fetch your profile data");
  return profile.fullName;
}

type Person = { id: string };

const reusableFor = 10 * minute;
/** The period in which the provider is asked about a payment again and again. */
const unsettledFor = 7 * day;

/** The facts that an order for a review stores. */
export type OrderedMaterials = Omit<typeof reviewOrders.$inferSelect, "orderId">;

const ofOrder = eq(reviewOrders.orderId, orders.orderId);

/**
 * The order of a payment that this person began a moment ago with exactly these materials and has
 * not come back from: a double click or a second tab is to lead to the same payment.
 */
async function findStartedOrder(
  tx: Database,
  buyer: Person,
  { draftId, draftRevision }: OrderedMaterials,
): Promise<{ orderId: string; fields: Record<string, string> } | null> {
  const [row] = await tx
    .select({ orderId: orders.orderId, fields: orders.checkoutFields })
    .from(orders)
    .innerJoin(reviewOrders, ofOrder)
    .where(
      and(
        isPendingSince(buyer.id, getTimeAgo(reusableFor)),
        eq(reviewOrders.draftId, draftId),
        eq(reviewOrders.draftRevision, draftRevision),
        not(hasProviderCallback(tx)),
      ),
    )
    .orderBy(desc(orders.createdAt))
    .limit(1);
  return row ?? null;
}

/** A payment that may still succeed. */
type UnsettledPayment = {
  orderId: string;
  service: string;
  /** In rupees: "199.00" */
  amount: string;
  begunAt: Date;
  /** Its buyer came back; otherwise it may still be open in another tab. */
  hasProviderCallback: boolean;
};

/** Lists this person's unsettled payments for reviews, newest first. */
export async function listUnsettledPayments(
  db: Database,
  buyer: Person,
): Promise<UnsettledPayment[]> {
  const since = getTimeAgo(unsettledFor).toISOString();
  return unsettledQuery(db).execute({ buyer: buyer.id, since });
}

const unsettledQuery = createPreparedQuery((db) =>
  selectUnsettledPayments(
    db,
    and(
      isPendingSince(sql.placeholder("buyer"), sql.placeholder("since")),
      hasProviderCallback(db),
    ),
  ).prepare("unsettled_payments"),
);

/**
 * Finds the newest payment that may still succeed beside one for this person's current draft: one that they
 * came back from, or one that was open for so long that another would be started.
 */
export async function findBlockingPayment(
  db: Database,
  buyer: Person,
  serviceType: ServiceType,
): Promise<UnsettledPayment | undefined> {
  const isLeftOpen = and(
    isPendingSince(buyer.id, getTimeAgo(day)),
    isForCurrentDraft(db),
    not(isReusableOrder()),
  );
  const [newest] = await selectUnsettledPayments(
    db,
    and(
      isPendingSince(buyer.id, getTimeAgo(unsettledFor)),
      eq(reviewOrders.serviceType, serviceType),
      or(hasProviderCallback(db), isLeftOpen),
    ),
  );
  return newest;
}

function selectUnsettledPayments(db: Database, those: SQL | undefined) {
  return db
    .select({
      orderId: orders.orderId,
      service: sql`${reviewOrders.serviceType}`.mapWith(getServiceLabel),
      amount: orders.amount,
      begunAt: orders.createdAt,
      hasProviderCallback: sql<boolean>`${hasProviderCallback(db)}`,
    })
    .from(orders)
    .innerJoin(reviewOrders, ofOrder)
    .where(those)
    .orderBy(desc(orders.createdAt));
}

function isReusableOrder(): SQL {
  return gt(orders.createdAt, getTimeAgo(reusableFor));
}

function getTimeAgo(milliseconds: number): Date {
  return new Date(now().getTime() - milliseconds);
}

function isForCurrentDraft(db: Database): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(reviewDrafts)
      .where(
        and(
          eq(reviewDrafts.userId, orders.buyerId),
          eq(reviewDrafts.id, reviewOrders.draftId),
          eq(reviewDrafts.revision, reviewOrders.draftRevision),
        ),
      ),
  );
}

function isPendingSince(
  buyerId: string | Placeholder,
  moment: Date | Placeholder,
): SQL | undefined {
  return and(
    eq(orders.buyerId, buyerId),
    eq(orders.status, "pending"),
    gt(orders.createdAt, moment),
  );
}

/** True in SQL once the buyer's browser or the provider has reported the payment. */
function hasProviderCallback(db: Database): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(orderEvents)
      .where(
        and(
          eq(orderEvents.orderId, orders.orderId),
          inArray(orderEvents.source, ["return", "notice"]),
        ),
      ),
  );
}
