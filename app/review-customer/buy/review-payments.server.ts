import { and, desc, eq, exists, gt, not, or, type Placeholder, type SQL, sql } from "drizzle-orm";
import { profiles } from "../../accounts/tables.server.ts";
import { hasProviderCallback, reusableFor } from "../../payments/earlier-orders.server.ts";
import { formatDecimalRupees, formatRupees } from "../../payments/money.ts";
import type { Payments } from "../../payments/payments.server.ts";
import { type StartedOrder, startOrder } from "../../payments/start-order.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { hasPlace, requireBuyerPlace } from "../../payments/buyer-place.server.ts";
import type { BuyerPlace, TypedPlace } from "../../payments/tax/buyer-place.ts";
import { day, now } from "../../platform/clock.ts";
import type { Config } from "../../platform/config.server.ts";
import { type Database, createPreparedQuery } from "../../platform/database.server.ts";
import { Conflict, Invalid, NotFound } from "../../platform/errors.ts";
import { saveDraftBrief, toBrief, type SentBrief } from "../../reviews/brief/brief.server.ts";
import { getBoughtService, type ServiceKey } from "../../reviews/second-looks.ts";
import {
  getOffer,
  isOwnDraft,
  isSecondLookOf,
  type Offer,
} from "../../reviews/second-looks.server.ts";
import { reviewDrafts, reviewOrders } from "../../reviews/tables.server.ts";
import { getCopyState, portfolioFiles, resumeFiles, getMaterialsVersion } from "./drafts.server.ts";
import {
  findCopyProblem,
  findMissingPart,
  formatPriceChange,
  materialsChanged,
  materialsGone,
  missingParts,
} from "./submission.ts";

type Payer = { id: string; email: string; fullName: string | null };
type Parts = { config: Config; payments: Pick<Payments, "settings"> };

/** Marks an order as one for a review, for its delivery. */
export type ReviewPurpose = { kind: "review" };
const reviewPurpose: ReviewPurpose = { kind: "review" };

export const earlierPaymentUnsettled =
  "An earlier payment for this review may still succeed. Please read the note before you pay again.";

/**
 * Starts a payment for a person's draft of a first review or a second look, at the price from the settings. Submitting
 * the same materials again returns the same payment until the buyer returns from the provider. The latest brief is used.
 *
 * @param phone ten digits, stored in the profile; null removes it
 * @param despite the unsettled payment that the person was warned about before paying again
 * @param shownPaise the price that they saw
 * @param version of the draft that they checked; undefined if unknown
 * @param brief is saved in the draft; undefined leaves the saved one
 * @param typedPlace the State and the GSTIN as typed; ignored if the seller isn't registered for GST
 * @throws {Invalid} naming the part that is missing, or what is wrong with the State or the GSTIN.
 * @throws {Conflict} when an earlier payment may still succeed and they were not warned, the materials or the price
 * changed since they saw them, a blacked-out copy isn't made yet, or the second look isn't offered any more.
 * @throws {NotFound} when they have no profile, or for a second look at another person's review.
 * @throws {TooMany} when they started too many payments recently.
 */
export async function startReviewPayment(
  db: Database,
  parts: Parts,
  actor: Payer,
  key: ServiceKey,
  {
    phone,
    shownPaise,
    despite = null,
    version,
    brief,
    typedPlace = {},
  }: {
    phone: string | null;
    shownPaise: number;
    despite?: string | null;
    version?: string;
    brief?: SentBrief;
    typedPlace?: TypedPlace;
  },
): Promise<StartedOrder> {
  return db.transaction(async (tx) => {
    const offer = await getOffer(tx, parts.config, actor, key);
    const { pricePaise: amountPaise } = offer;
    if (brief) await saveDraftBrief(tx, actor, offer, await toBrief(tx, brief));
    const materials = await lockMaterials(tx, actor, offer, version);
    if (shownPaise !== amountPaise)
      throw new Conflict(formatPriceChange(formatRupees(amountPaise)));
    const place = requireBuyerPlace(parts.config.product, typedPlace);
    const fullName = await savePhone(tx, actor, phone);

    const existing = await findStartedOrder(tx, actor, materials, place);
    const current = {
      amount: formatDecimalRupees(amountPaise),
      phone: phone ?? parts.payments.settings.placeholderPhone,
    };
    if (
      existing &&
      existing.fields.amount === current.amount &&
      existing.fields.phone === current.phone
    ) {
      await tx
        .update(reviewOrders)
        .set({ brief: materials.brief })
        .where(eq(reviewOrders.orderId, existing.orderId));
      return { ...existing, checkoutUrl: parts.payments.settings.checkoutUrl };
    }
    const earlier = await findBlockingPayment(tx, actor, offer);
    if (earlier && earlier.orderId !== despite) throw new Conflict(earlierPaymentUnsettled);

    const started = await startOrder(tx, parts, {
      buyer: { id: actor.id, email: actor.email, fullName: fullName ?? actor.fullName, phone },
      amountPaise,
      productInfo: offer.shortLabel,
      serviceCode: parts.config.product.tax?.reviewCode,
      serviceType: offer.type,
      place,
      purpose: reviewPurpose,
      retryPath: `${offer.path}?step=payment`,
    });
    await tx.insert(reviewOrders).values({ orderId: started.orderId, ...materials });
    return started;
  });
}

/** Locks the draft and returns its materials. A second submit waits for the lock and finds the first one's order. */
async function lockMaterials(
  tx: Database,
  actor: Payer,
  offer: Offer,
  seen: string | undefined,
): Promise<OrderedMaterials> {
  const [draft] = await tx
    .select({
      id: reviewDrafts.id,
      revision: reviewDrafts.revision,
      resume: resumeFiles.path,
      portfolio: portfolioFiles.path,
      portfolioUrl: reviewDrafts.portfolioUrl,
      resumeCopy: reviewDrafts.resumeCopy,
      portfolioCopy: reviewDrafts.portfolioCopy,
      brief: reviewDrafts.brief,
    })
    .from(reviewDrafts)
    .leftJoin(resumeFiles, eq(resumeFiles.id, reviewDrafts.resumeFileId))
    .leftJoin(portfolioFiles, eq(portfolioFiles.id, reviewDrafts.portfolioFileId))
    .where(isOwnDraft(actor, offer))
    .for("update", { of: reviewDrafts });
  const missing = findMissingPart(offer, draft ?? nothing);
  if (seen && (!draft || getMaterialsVersion(draft) !== seen))
    throw new Conflict(missing ? materialsGone : materialsChanged);
  if (!draft || missing) {
    const part = missing ?? "resume";
    throw new Invalid({ [part]: missingParts[part].description });
  }
  const states = [draft.resumeCopy, draft.portfolioCopy].map((request) =>
    getCopyState(request, null),
  );
  const unfinished = findCopyProblem(states);
  if (unfinished) throw new Conflict(unfinished);
  return {
    draftId: draft.id,
    draftRevision: draft.revision,
    serviceType: offer.type,
    secondLookOf: offer.secondLookOf,
    resumeFilePath: draft.resume,
    portfolioUrl: draft.portfolioUrl,
    portfolioFilePath: draft.portfolio,
    brief: draft.brief,
  };
}

const nothing = { resume: null, portfolio: null, portfolioUrl: null };

/** Saves the phone number in the profile. @returns the payer's name */
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

/** The period in which we keep checking a payment with the provider. */
const unsettledFor = 7 * day;

/** The facts that an order for a review stores. */
export type OrderedMaterials = Omit<typeof reviewOrders.$inferSelect, "orderId">;

const ofOrder = eq(reviewOrders.orderId, orders.orderId);

/**
 * Finds an order that this person has just started for exactly these materials and this place, and not returned
 * from. A double click or a second tab then leads to the same payment.
 */
async function findStartedOrder(
  tx: Database,
  buyer: Person,
  { draftId, draftRevision }: OrderedMaterials,
  place: BuyerPlace | null,
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
        hasPlace(place),
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
  startedAt: Date;
  /** True once the buyer came back; until then it may still be open in another tab. */
  hasProviderCallback: boolean;
};

/** Lists this person's unsettled payments for reviews, newest first. */
export async function listUnsettledPayments(
  db: Database,
  buyer: Person,
): Promise<UnsettledPayment[]> {
  const since = getTimeAgo(unsettledFor).toISOString();
  const rows = await unsettledQuery(db).execute({ buyer: buyer.id, since });
  return rows.map(toUnsettledPayment);
}

function toUnsettledPayment({
  serviceType,
  secondLookOf,
  ...payment
}: Awaited<ReturnType<typeof selectUnsettledPayments>>[number]): UnsettledPayment {
  return { ...payment, service: getBoughtService({ serviceType, secondLookOf }).label };
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
 * Finds the newest payment for this kind of review that may still succeed: one that the buyer came back from, or one
 * for the current draft that is too old to be reused.
 */
export async function findBlockingPayment(
  db: Database,
  buyer: Person,
  { type, secondLookOf }: ServiceKey,
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
      eq(reviewOrders.serviceType, type),
      isSecondLookOf(reviewOrders.secondLookOf, secondLookOf),
      or(hasProviderCallback(db), isLeftOpen),
    ),
  );
  return newest && toUnsettledPayment(newest);
}

function selectUnsettledPayments(db: Database, condition: SQL | undefined) {
  return db
    .select({
      orderId: orders.orderId,
      serviceType: reviewOrders.serviceType,
      secondLookOf: reviewOrders.secondLookOf,
      amount: orders.amount,
      startedAt: orders.createdAt,
      hasProviderCallback: sql<boolean>`${hasProviderCallback(db)}`,
    })
    .from(orders)
    .innerJoin(reviewOrders, ofOrder)
    .where(condition)
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

function isPendingSince(buyerId: string | Placeholder, moment: Date | Placeholder) {
  return and(
    eq(orders.buyerId, buyerId),
    eq(orders.status, "pending"),
    gt(orders.createdAt, moment),
  );
}
