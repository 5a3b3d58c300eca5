import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { FileStore } from "../../app/files/store.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { getDemoPaymentId } from "../../app/payments/stand-in/refunds.server.ts";
import { getNextOrderCheck } from "../../app/payments/order-expiry.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { day, hour } from "../../app/platform/clock.ts";
import type { Config, ReviewPrices } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { formatDecimalRupees } from "../../app/payments/money.ts";
import { addBrief } from "../../app/reviews/brief/brief.server.ts";
import {
  reviewAssignments,
  reviewFiles,
  reviewImages,
  reviewOrders,
  reviewQuestions,
  reviewRatings,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { type Service, services, type ServiceType } from "../../app/reviews/rules.ts";
import { getService } from "../../app/reviews/second-looks.ts";
import { toStoredAddress } from "../../app/reviews/addresses.ts";
import type { Area } from "../../app/annotations/rules.ts";
import { followUpQuestions } from "../../app/annotations/follow-up/tables.server.ts";
import { answeredWithin } from "../../app/annotations/follow-up/rules.ts";
import { reviewRemarks, reviewScores } from "../../app/annotations/tables.server.ts";
import areas from "./areas.json" with { type: "json" };
import { type DemoRemark, demoResults } from "./remarks.ts";
import { crowdPlans, type Plan, mainPlans } from "./review-plans.ts";
import { SampleFiles } from "./sample-files.server.ts";

/** The ids of demo people by key. */
export type DemoIds = Map<string, string>;

/** Loads two months of orders, their reviews in every state, and their files. */
export async function loadDemoReviews(
  tx: Database,
  store: FileStore,
  folder: string,
  ids: DemoIds,
  moment: Date,
  { reviewPrices: prices, secondLooks }: Pick<Config, "reviewPrices" | "secondLooks">,
): Promise<void> {
  const files = new SampleFiles(store, folder);
  // Without a price, no second look was sold.
  const plans = [...mainPlans, ...crowdPlans].filter(
    ({ secondLook, type }) => !secondLook || secondLooks.prices[type] !== null,
  );
  // Stored in parallel, because the store flushes each file to disk.
  const stored = await Promise.all(plans.map((plan) => storeFiles(files, ids, plan, moment)));
  const rows = new Rows();
  for (const [index, plan] of plans.entries()) {
    const first = plans.findIndex(({ buyer, type }) => buyer === plan.buyer && type === plan.type);
    const secondLookOf = plan.secondLook ? stored[first]!.reviewId : null;
    const pricePaise = (secondLookOf && secondLooks.prices[plan.type]) || prices[plan.type];
    addReview(rows, ids, plan, { ...stored[index]!, secondLookOf }, moment, pricePaise);
  }
  await rows.insert(tx);
  for (const [index, { brief, completedDaysAgo = 0 }] of plans.entries())
    if (brief) await loadBrief(tx, stored[index]!.reviewId, brief, ago(moment, completedDaysAgo));
  await loadUnpaidOrders(tx, ids, moment, prices);
  await loadTwicePaid(tx, ids, moment, prices);
}

type StoredFile = typeof storedFiles.$inferInsert;

type Stored = {
  reviewId: string;
  /** The earlier review of a second look. */
  secondLookOf: string | null;
  resume: StoredFile | null;
  portfolio: StoredFile | null;
  /** The result of a completed review. */
  screenshot: StoredFile | null;
  reordered: StoredFile | null;
};

async function storeFiles(
  files: SampleFiles,
  ids: DemoIds,
  { type, buyer, daysAgo, reviewer, completedDaysAgo, secondLook }: Plan,
  moment: Date,
): Promise<Omit<Stored, "secondLookOf">> {
  const reviewId = randomUUID();
  const { needs } = services[type];
  const bought = { uploadedBy: ids.get(buyer)!, createdAt: ago(moment, daysAgo) };
  const hasResultFiles = needs.resume && completedDaysAgo !== undefined && !secondLook;
  const result = {
    uploadedBy: ids.get(reviewer ?? "")!,
    createdAt: writtenAt(moment, completedDaysAgo ?? 0),
  };
  const [resume, portfolio, screenshot, reordered] = await Promise.all([
    needs.resume ? files.storeMaterial("resumes", "resume.pdf", bought) : null,
    needs.portfolio ? files.storeMaterial("portfolios", "portfolio.pdf", bought) : null,
    hasResultFiles
      ? files.storeScreenshot(reviewId, "marked.png", "page two marked.png", result)
      : null,
    hasResultFiles ? files.storeReviewerFile(reviewId, reorderedName, result) : null,
  ]);
  return { reviewId, resume, portfolio, screenshot, reordered };
}

const reorderedName = "resume in new order.pdf";

/** Returns the time an hour before the review was submitted. */
function writtenAt(moment: Date, completedDaysAgo: number): Date {
  return new Date(ago(moment, completedDaysAgo).getTime() - hour);
}

/** Referenced tables come first. */
const tables = [
  storedFiles,
  orders,
  serviceReviews,
  reviewOrders,
  reviewAssignments,
  reviewScores,
  reviewImages,
  reviewFiles,
  reviewRemarks,
  followUpQuestions,
  reviewRatings,
  refunds,
];

/** Collects rows, so that each table needs only one statement. */
class Rows {
  readonly #rows = new Map<PgTable, object[]>();

  add<Table extends (typeof tables)[number]>(table: Table, ...rows: Table["$inferInsert"][]): void {
    this.#rows.set(table, [...(this.#rows.get(table) ?? []), ...rows]);
  }

  async insert(tx: Database): Promise<void> {
    for (const table of tables) {
      const rows = this.#rows.get(table) as (typeof table)["$inferInsert"][] | undefined;
      if (rows) await tx.insert(table).values(rows);
    }
  }
}

function addReview(
  rows: Rows,
  ids: DemoIds,
  plan: Plan,
  stored: Stored,
  moment: Date,
  pricePaise: number,
): void {
  const { reviewId, secondLookOf, resume, portfolio } = stored;
  const userId = ids.get(plan.buyer)!;
  const service = getService({ type: plan.type, secondLookOf });
  const createdAt = ago(moment, plan.daysAgo);
  const orderId = demoTxnId(createdAt);
  for (const file of [resume, portfolio]) if (file) rows.add(storedFiles, file);
  const portfolioUrl =
    plan.type === "combined_review" ? "https://portfolio.example.com/case-studies" : null;
  rows.add(orders, {
    orderId,
    buyerId: userId,
    amount: formatDecimalRupees(pricePaise),
    status: "success",
    purpose: { kind: "review" },
    createdAt,
    settledAt: createdAt,
    providerPaymentId: getDemoPaymentId(pricePaise, paymentNumber(createdAt)),
    capturedPaise: pricePaise,
    checkoutFields: {},
  });
  const materials = {
    serviceType: plan.type,
    secondLookOf,
    resumeFilePath: resume?.path ?? null,
    portfolioUrl,
    portfolioFilePath: portfolio?.path ?? null,
  };
  rows.add(reviewOrders, { orderId, draftId: randomUUID(), draftRevision: 1, ...materials });
  const status =
    plan.completedDaysAgo !== undefined ? "completed" : plan.reviewer ? "under_review" : "pending";
  rows.add(serviceReviews, {
    id: reviewId,
    userId,
    orderId,
    ...materials,
    status,
    reviewerFeedback:
      status === "completed"
        ? (plan.secondLook?.feedback ?? demoResults[plan.type].feedback)
        : null,
    priority: service.startPriority,
    createdAt,
    ...dueDates(plan, service, moment),
  });
  if (!plan.reviewer) return;
  const reviewerId = ids.get(plan.reviewer)!;
  const completedAt =
    plan.completedDaysAgo === undefined ? null : ago(moment, plan.completedDaysAgo);
  rows.add(reviewAssignments, {
    reviewId,
    reviewerId,
    assignedAt: ago(moment, plan.assignedDaysAgo ?? plan.daysAgo),
    completedAt,
  });
  if (!completedAt) {
    const writtenAt = new Date(moment.getTime() - hour);
    const written = { serviceType: plan.type, reviewerId, writtenAt, completedAt };
    if (plan.hasRemarks) addRemarks(rows, reviewId, written, null);
    return;
  }
  const [firstRemark] = plan.secondLook
    ? []
    : addResult(rows, stored, { serviceType: plan.type, reviewerId, completedAt });
  if (plan.followUp) {
    const { question, askedDaysAgo, answer } = plan.followUp;
    const askedAt = ago(moment, askedDaysAgo);
    rows.add(followUpQuestions, {
      reviewId,
      question,
      remarkId: firstRemark,
      askedAt,
      dueAt: new Date(askedAt.getTime() + answeredWithin),
      reviewerId,
      ...(answer && {
        answer: answer.text,
        answeredAt: ago(moment, answer.daysAgo),
        answeredBy: reviewerId,
      }),
    });
  }
  if (plan.declined) {
    const createdAt = new Date(completedAt.getTime() + 5 * hour);
    rows.add(refunds, {
      orderId,
      paymentId: getDemoPaymentId(pricePaise, paymentNumber(ago(moment, plan.daysAgo))),
      token: demoToken(createdAt),
      amountPaise: pricePaise,
      grounds: "delivered",
      state: "declined",
      ...plan.declined,
      askedBy: userId,
      decidedBy: ids.get("gita")!,
      createdAt,
      decidedAt: new Date(createdAt.getTime() + 20 * hour),
    });
  }
  if (plan.rating) {
    const ratedAt = new Date(completedAt.getTime() + 6 * hour);
    rows.add(reviewRatings, { reviewId, ...plan.rating, ratedAt });
  }
}

function dueDates({ daysAgo, dueInDays }: Plan, { turnaroundHours }: Service, moment: Date) {
  if (dueInDays === null) return {};
  const turnaround = turnaroundHours * hour;
  return {
    dueAt: new Date(ago(moment, daysAgo).getTime() + turnaround),
    extendedTo: dueInDays === undefined ? null : ago(moment, -dueInDays),
  };
}

async function loadBrief(
  tx: Database,
  reviewId: string,
  { questions, ...aim }: NonNullable<Plan["brief"]>,
  answeredAt: Date,
): Promise<void> {
  await addBrief(tx, reviewId, { ...aim, questions: questions.map(([question]) => question) });
  for (const [index, [, answer]] of questions.entries())
    if (answer)
      await tx
        .update(reviewQuestions)
        .set({ answer, answeredAt })
        .where(
          and(eq(reviewQuestions.reviewId, reviewId), eq(reviewQuestions.position, index + 1)),
        );
}

type Completed = { serviceType: ServiceType; reviewerId: string; completedAt: Date };

/** @returns the ids of the remarks */
function addResult(rows: Rows, stored: Stored, completed: Completed): string[] {
  const { reviewId } = stored;
  const writtenAt = new Date(completed.completedAt.getTime() - hour);
  for (const [criterion, score] of Object.entries(demoResults[completed.serviceType].scores))
    rows.add(reviewScores, { reviewId, criterion, score, updatedAt: writtenAt });
  const imageId = addResultFiles(rows, stored);
  return addRemarks(rows, reviewId, { ...completed, writtenAt }, imageId);
}

type Written = Omit<Completed, "completedAt"> & { writtenAt: Date; completedAt: Date | null };

/** Adds the remarks on the pages, and those on a screenshot if there is one. @returns their ids */
function addRemarks(
  rows: Rows,
  reviewId: string,
  { serviceType, reviewerId: authorId, writtenAt, completedAt }: Written,
  imageId: string | null,
): string[] {
  return demoResults[serviceType].remarks.flatMap(
    ({ on, at: place, rank, isDone, ...remark }): string[] => {
      if (on === "screenshot" && !imageId) return [];
      const id = randomUUID();
      rows.add(reviewRemarks, {
        ...remark,
        ...getRemarkTarget(on, imageId),
        ...getRemarkArea(on, place),
        id,
        reviewId,
        authorId,
        rank: rank?.[serviceType] ?? null,
        createdAt: writtenAt,
        updatedAt: writtenAt,
        doneAt: isDone ? completedAt : null,
      });
      return [id];
    },
  );
}

/** Returns the page or screenshot of a demo remark, in columns. */
export function getRemarkTarget(on: DemoRemark["on"], imageId: string | null) {
  if (on === "screenshot") return { imageId };
  const [part, page] = on.split("-") as ["resume" | "portfolio", string];
  return { part, page: Number(page) };
}

/** Returns the place of a demo remark. The screenshot shows the second page of the resume. */
export function getRemarkArea(on: DemoRemark["on"], place: string): Area {
  return (areas as Record<string, Record<string, Area>>)[on === "screenshot" ? "resume-2" : on]![
    place
  ]!;
}

/** Adds a screenshot of the resume and the reordered resume. @returns the screenshot's id */
function addResultFiles(rows: Rows, { reviewId, screenshot, reordered }: Stored): string | null {
  if (!screenshot || !reordered) return null;
  rows.add(storedFiles, screenshot, reordered);
  const imageId = randomUUID();
  rows.add(reviewImages, {
    id: imageId,
    reviewId,
    imageUrl: toStoredAddress(screenshot),
    annotation: "Start with this project. It's your strongest, but it's hidden on page two.",
    createdAt: screenshot.createdAt,
  });
  rows.add(reviewFiles, {
    reviewId,
    fileUrl: toStoredAddress(reordered),
    fileName: reorderedName,
    fileType: "application/pdf",
    description: "The same content with the projects in the order I suggest.",
    createdAt: reordered.createdAt,
  });
  return imageId;
}

/** Loads failed payments, and a pending one of Asha's. */
async function loadUnpaidOrders(
  tx: Database,
  ids: DemoIds,
  moment: Date,
  prices: ReviewPrices,
): Promise<void> {
  const attempts: { buyer: string; daysAgo: number; type: ServiceType; isOpen?: boolean }[] = [
    ...[3, 17, 33].map((daysAgo, turn) => ({
      buyer: `customer${turn}`,
      daysAgo: daysAgo + 0.1,
      type: "resume_review" as const,
    })),
    { buyer: "asha", daysAgo: 21.02, type: "combined_review" },
    { buyer: "asha", daysAgo: 0.02, type: "combined_review", isOpen: true },
  ];
  for (const { buyer, daysAgo, type, isOpen = false } of attempts) {
    const createdAt = ago(moment, daysAgo);
    const orderId = demoTxnId(createdAt);
    const { path } = services[type];
    const pricePaise = prices[type];
    await tx.insert(orders).values({
      orderId,
      buyerId: ids.get(buyer)!,
      amount: formatDecimalRupees(pricePaise),
      status: isOpen ? "pending" : "failed",
      purpose: { kind: "review" },
      retryPath: path,
      createdAt,
      settledAt: isOpen ? null : createdAt,
      nextCheckAt: isOpen ? getNextOrderCheck(createdAt, moment) : null,
      checkoutFields: {},
    });
    await tx
      .insert(reviewOrders)
      .values({ orderId, draftId: randomUUID(), draftRevision: 1, serviceType: type });
  }
}

/** Loads a second payment of Asha's for the same materials, which was refunded. */
async function loadTwicePaid(
  tx: Database,
  ids: DemoIds,
  moment: Date,
  prices: ReviewPrices,
): Promise<void> {
  const createdAt = ago(moment, 20.99);
  const orderId = demoTxnId(createdAt);
  const { type } = services.combined_review;
  const pricePaise = prices[type];
  await tx.insert(orders).values({
    orderId,
    buyerId: ids.get("asha")!,
    amount: formatDecimalRupees(pricePaise),
    status: "success",
    purpose: { kind: "review" },
    createdAt,
    settledAt: createdAt,
    providerPaymentId: getDemoPaymentId(pricePaise, paymentNumber(createdAt)),
    capturedPaise: pricePaise,
    checkoutFields: {},
  });
  await tx
    .insert(reviewOrders)
    .values({ orderId, draftId: randomUUID(), draftRevision: 1, serviceType: type });
  const decidedAt = ago(moment, 20.4);
  await tx.insert(refunds).values({
    orderId,
    paymentId: getDemoPaymentId(pricePaise, paymentNumber(createdAt)),
    token: demoToken(createdAt),
    amountPaise: pricePaise,
    grounds: "decided",
    state: "settled",
    reason: "Paid twice for the same materials.",
    askedBy: ids.get("gita")!,
    decidedBy: ids.get("gita")!,
    createdAt: decidedAt,
    decidedAt,
    sentAt: decidedAt,
    requestId: String(paymentNumber(decidedAt)),
    endedAt: ago(moment, 17.2),
  });
}

function ago(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * day);
}

function demoTxnId(at: Date): string {
  return `TXN_${randomUUID().slice(0, 8).toUpperCase()}${at.getTime()}`;
}

/** Creates a refund token in our format for PayU. */
function demoToken(at: Date): string {
  return `R_${randomUUID().slice(0, 8).toUpperCase()}${at.getTime()}`;
}

/** Derived from the date, since no two of these payments share one. */
function paymentNumber(at: Date): number {
  return at.getTime() % 1_000_000_000;
}
