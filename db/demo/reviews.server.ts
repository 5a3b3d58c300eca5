import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { customerPaths, reviewFilePath, reviewImagePath } from "../../app/files/names.server.ts";
import type { Bucket } from "../../app/files/rules.ts";
import { type FileStore, putFirstFree } from "../../app/files/store.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { demoPaymentId } from "../../app/payments/stand-in/refunds.server.ts";
import { nextCheck } from "../../app/payments/order-expiry.ts";
import { refunds } from "../../app/payments/refunds/tables.server.ts";
import { orders } from "../../app/payments/tables.server.ts";
import { day, hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { rupeesWithPaise } from "../../app/payments/money.ts";
import { addBrief } from "../../app/reviews/brief/brief.server.ts";
import type { Brief } from "../../app/reviews/brief/rules.ts";
import {
  reviewAssignments,
  reviewFiles,
  reviewImages,
  reviewOrders,
  reviewQuestions,
  reviewRatings,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { services, type ServiceType, serviceTypes } from "../../app/reviews/rules.ts";
import { keptAddress } from "../../app/reviews/addresses.ts";
import type { Area } from "../../app/reviews/remarks/rules.ts";
import { reviewRemarks, reviewScores } from "../../app/reviews/remarks/tables.server.ts";
import places from "./places.json" with { type: "json" };
import { type DemoRemark, demoResults } from "./remarks.ts";

/** Ids of the demonstration's people by their key. */
export type DemoIds = Map<string, string>;

type Plan = {
  buyer: string;
  type: ServiceType;
  daysAgo: number;
  reviewer?: "meera" | "kabir";
  assignedDaysAgo?: number;
  completedDaysAgo?: number;
  /** A later date that an admin has set, from now; null for one from before there were due dates. */
  dueInDays?: number | null;
  /** Questions with their answers, as far as there are some. */
  brief?: Omit<Brief, "questions"> & { questions: [question: string, answer?: string][] };
  rating?: { rating: number; words: string | null };
  /** A refund that was asked for a while after the delivery, and declined. */
  declined?: { reason: string; answer: string };
};

/** What the people one can act as have bought. */
const told: Plan[] = [
  {
    buyer: "asha",
    type: "combined_review",
    daysAgo: 21,
    reviewer: "meera",
    assignedDaysAgo: 20.8,
    completedDaysAgo: 20.2,
    brief: {
      role: "Senior product designer in fintech",
      company: null,
      years: 6,
      questions: [
        [
          "Is my resume too long at two pages?",
          "No: with six years behind you two pages are fine. What costs you is the order on them.",
        ],
        [
          "Which project should come first in the portfolio?",
          "The checkout. It is the only one with a number, and the closest to what you aim at.",
        ],
        ["Does the coursework still help?"],
      ],
    },
    rating: {
      rating: 5,
      words: "I changed the order in an evening, and had two calls within a week.",
    },
  },
  {
    buyer: "asha",
    type: "resume_review",
    daysAgo: 1.8,
    reviewer: "meera",
    assignedDaysAgo: 1.5,
    brief: {
      role: "Product Designer",
      company: "Chai & Pixels",
      years: 6,
      questions: [
        ["Do I undersell the research I did?"],
        ["Would you drop the summary at the top?"],
      ],
    },
  },
  { buyer: "asha", type: "portfolio_review", daysAgo: 0.2 },
  {
    buyer: "sonia",
    type: "portfolio_review",
    daysAgo: 9,
    reviewer: "kabir",
    assignedDaysAgo: 8.5,
    completedDaysAgo: 7.6,
    brief: {
      role: "Motion designer",
      company: null,
      years: 2,
      questions: [
        ["Are three projects enough?", "Yes, if the second one says what was yours in it."],
      ],
    },
    declined: {
      reason: "I had hoped for a new portfolio, not for remarks on mine.",
      answer:
        "A review says what to change, and every remark of yours does. The changes themselves stay in your hands.",
    },
  },
];

/** Under way, by how long ago they were bought: due soon, moved, overdue, and two without a date. */
const underWay: Pick<Plan, "daysAgo" | "dueInDays">[] = [
  { daysAgo: 0.4 },
  { daysAgo: 0.7 },
  { daysAgo: 0.95 },
  { daysAgo: 2.3, dueInDays: 0.5 },
  { daysAgo: 1.6 },
  { daysAgo: 1.1 },
  { daysAgo: 6, dueInDays: null },
  { daysAgo: 8, dueInDays: null },
];

/** What the crowd has bought: finished longer ago, under way lately, waiting since the last day. */
const crowdPlans: Plan[] = Array.from({ length: 36 }, (_, turn) => {
  const buyer = `customer${turn < 26 ? turn : turn - 9}`;
  const type = serviceTypes[turn % serviceTypes.length]!;
  const reviewer = turn % 2 === 0 ? "meera" : "kabir";
  if (turn < 9) return { buyer, type, daysAgo: turn * 0.1 + 0.05 };
  if (turn < 17) {
    const bought = underWay[turn - 9]!;
    return { buyer, type, reviewer, assignedDaysAgo: bought.daysAgo * 0.9, ...bought };
  }
  return {
    buyer,
    type,
    daysAgo: turn * 2,
    reviewer,
    assignedDaysAgo: turn * 2 - 0.2,
    completedDaysAgo: turn * 2 - 0.35 - (turn % 5) * 0.2,
    rating: turn % 3 === 0 ? undefined : { rating: 3 + (turn % 3), words: null },
  };
});

/** Loads orders of two months, their reviews in every state, and the files that belong to them. */
export async function loadDemoReviews(
  tx: Database,
  store: FileStore,
  folder: string,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const keeper = new Keeper(tx, store, folder);
  const plans = [...told, ...crowdPlans];
  // A store makes each file durable before it answers, so the files are stored side by side.
  const materials = await Promise.all(
    plans.map((plan) =>
      keeper.storeMaterials(plan.type, ids.get(plan.buyer)!, ago(moment, plan.daysAgo)),
    ),
  );
  for (const [index, plan] of plans.entries())
    await loadReview(tx, keeper, ids, plan, materials[index]!, moment);
  await loadUnpaidOrders(tx, ids, moment);
  await loadTwicePaid(tx, ids, moment);
}

async function loadReview(
  tx: Database,
  keeper: Keeper,
  ids: DemoIds,
  plan: Plan,
  { resume, portfolio }: Materials,
  moment: Date,
): Promise<void> {
  const userId = ids.get(plan.buyer)!;
  const service = services[plan.type];
  const createdAt = ago(moment, plan.daysAgo);
  const orderId = demoTxnId(createdAt);
  for (const file of [resume, portfolio]) if (file) await keeper.record(file);
  const portfolioUrl =
    plan.type === "combined_review" ? "https://portfolio.example.com/case-studies" : null;
  await tx.insert(orders).values({
    orderId,
    buyerId: userId,
    amount: rupeesWithPaise(service.pricePaise),
    status: "success",
    purpose: { kind: "review" },
    createdAt,
    settledAt: createdAt,
    providerPaymentId: demoPaymentId(service.pricePaise, paymentNumber(createdAt)),
    capturedPaise: service.pricePaise,
    checkoutFields: {},
  });
  const materials = {
    serviceType: plan.type,
    resumeFilePath: resume?.path ?? null,
    portfolioUrl,
    portfolioFilePath: portfolio?.path ?? null,
  };
  await tx
    .insert(reviewOrders)
    .values({ orderId, draftId: randomUUID(), draftRevision: 1, ...materials });
  const status =
    plan.completedDaysAgo !== undefined ? "completed" : plan.reviewer ? "under_review" : "pending";
  const [review] = await tx
    .insert(serviceReviews)
    .values({
      userId,
      orderId,
      ...materials,
      status,
      reviewerFeedback: status === "completed" ? demoResults[plan.type].feedback : null,
      priority: service.startPriority,
      createdAt,
      ...dueDates(plan, moment),
    })
    .returning();
  if (!plan.reviewer || !review) return;
  if (plan.brief)
    await loadBrief(tx, review.id, plan.brief, ago(moment, plan.completedDaysAgo ?? 0));
  const reviewerId = ids.get(plan.reviewer)!;
  const completedAt =
    plan.completedDaysAgo === undefined ? null : ago(moment, plan.completedDaysAgo);
  await tx.insert(reviewAssignments).values({
    reviewId: review.id,
    reviewerId,
    assignedAt: ago(moment, plan.assignedDaysAgo ?? plan.daysAgo),
    completedAt,
  });
  if (!completedAt) return;
  await loadResult(tx, keeper, { ...review, reviewerId, completedAt });
  if (plan.declined) {
    const createdAt = new Date(completedAt.getTime() + 5 * hour);
    await tx.insert(refunds).values({
      orderId,
      paymentId: demoPaymentId(service.pricePaise, paymentNumber(ago(moment, plan.daysAgo))),
      token: demoToken(createdAt),
      amountPaise: service.pricePaise,
      grounds: "delivered",
      state: "declined",
      ...plan.declined,
      askedBy: userId,
      decidedBy: ids.get("gita")!,
      createdAt,
      decidedAt: new Date(createdAt.getTime() + 20 * hour),
    });
  }
  if (plan.rating)
    await tx.insert(reviewRatings).values({
      reviewId: review.id,
      ...plan.rating,
      ratedAt: new Date(completedAt.getTime() + 6 * hour),
    });
}

function dueDates({ type, daysAgo, dueInDays }: Plan, moment: Date) {
  if (dueInDays === null) return {};
  const promised = services[type].turnaroundHours * hour;
  return {
    dueAt: new Date(ago(moment, daysAgo).getTime() + promised),
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

type Completed = {
  id: string;
  serviceType: ServiceType;
  reviewerId: string;
  completedAt: Date;
};

async function loadResult(tx: Database, keeper: Keeper, review: Completed): Promise<void> {
  const { id: reviewId, serviceType, reviewerId: authorId } = review;
  const at = new Date(review.completedAt.getTime() - hour);
  const { scores, remarks } = demoResults[serviceType];
  const written = { reviewId, updatedAt: at };
  await tx
    .insert(reviewScores)
    .values(Object.entries(scores).map(([criterion, score]) => ({ ...written, criterion, score })));
  const imageId = services[serviceType].needs.resume
    ? await handBack(tx, keeper, reviewId, authorId, at)
    : null;
  await tx.insert(reviewRemarks).values(
    remarks.map(({ on, at: place, rank, isDone, ...remark }) => ({
      ...remark,
      ...written,
      ...targetOf(on, imageId),
      ...areaOf(on, place),
      id: randomUUID(),
      authorId,
      rank: rank?.[serviceType] ?? null,
      createdAt: at,
      doneAt: isDone ? review.completedAt : null,
    })),
  );
}

function targetOf(on: DemoRemark["on"], imageId: string | null) {
  if (on === "screenshot") return { imageId };
  const [part, page] = on.split("-") as ["resume" | "portfolio", string];
  return { part, page: Number(page) };
}

/** The screenshot shows the second page of the resume. */
function areaOf(on: DemoRemark["on"], place: string): Area {
  return (places as Record<string, Record<string, Area>>)[on === "screenshot" ? "resume-2" : on]![
    place
  ]!;
}

/** A screenshot of the resume, and the resume in another order. @returns the screenshot's id */
async function handBack(
  tx: Database,
  keeper: Keeper,
  reviewId: string,
  reviewerId: string,
  createdAt: Date,
): Promise<string> {
  const imagePath = reviewImagePath(reviewId, "page two marked.png", "png");
  const filePath = reviewFilePath(reviewId, "resume in new order.pdf");
  const [image, file] = await Promise.all([
    keeper.store("review-images", imagePath, "marked.png", reviewerId, createdAt),
    keeper.store("review-files", filePath, "resume in new order.pdf", reviewerId, createdAt),
  ]);
  await keeper.record(image);
  await keeper.record(file);
  const imageId = randomUUID();
  await tx.insert(reviewImages).values({
    id: imageId,
    reviewId,
    imageUrl: keptAddress({ bucket: "review-images", path: imagePath }),
    annotation: "Start with this project: it is the strongest, and it is hidden on page two.",
    createdAt,
  });
  await tx.insert(reviewFiles).values({
    reviewId,
    fileUrl: keptAddress({ bucket: "review-files", path: filePath }),
    fileName: "resume in new order.pdf",
    fileType: "application/pdf",
    description: "The same content with the projects in the order I suggest.",
    createdAt,
  });
  return imageId;
}

/** Attempts to pay that came to nothing, and one of Asha's that nobody knows the end of yet. */
async function loadUnpaidOrders(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
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
    const { path, pricePaise } = services[type];
    await tx.insert(orders).values({
      orderId,
      buyerId: ids.get(buyer)!,
      amount: rupeesWithPaise(pricePaise),
      status: isOpen ? "pending" : "failed",
      purpose: { kind: "review" },
      retryPath: path,
      createdAt,
      settledAt: isOpen ? null : createdAt,
      nextCheckAt: isOpen ? nextCheck(createdAt, moment) : null,
      checkoutFields: {},
    });
    await tx
      .insert(reviewOrders)
      .values({ orderId, draftId: randomUUID(), draftRevision: 1, serviceType: type });
  }
}

/** Asha once paid twice for the same: the second payment bought nothing, and went back. */
async function loadTwicePaid(tx: Database, ids: DemoIds, moment: Date): Promise<void> {
  const createdAt = ago(moment, 20.99);
  const orderId = demoTxnId(createdAt);
  const { type, pricePaise } = services.combined_review;
  await tx.insert(orders).values({
    orderId,
    buyerId: ids.get("asha")!,
    amount: rupeesWithPaise(pricePaise),
    status: "success",
    purpose: { kind: "review" },
    createdAt,
    settledAt: createdAt,
    providerPaymentId: demoPaymentId(pricePaise, paymentNumber(createdAt)),
    capturedPaise: pricePaise,
    checkoutFields: {},
  });
  await tx
    .insert(reviewOrders)
    .values({ orderId, draftId: randomUUID(), draftRevision: 1, serviceType: type });
  const decidedAt = ago(moment, 20.4);
  await tx.insert(refunds).values({
    orderId,
    paymentId: demoPaymentId(pricePaise, paymentNumber(createdAt)),
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

/** A stored sample file, before it has a row. */
type Kept = {
  bucket: Bucket;
  path: string;
  originalName: string;
  uploadedBy: string;
  createdAt: Date;
};

type Materials = { resume: Kept | null; portfolio: Kept | null };

/** Puts sample files into the store, and writes a row for each. */
class Keeper {
  readonly #tx: Database;
  readonly #store: FileStore;
  readonly #folder: string;

  constructor(tx: Database, store: FileStore, folder: string) {
    this.#tx = tx;
    this.#store = store;
    this.#folder = folder;
  }

  async storeMaterials(type: ServiceType, userId: string, at: Date): Promise<Materials> {
    const { needs } = services[type];
    const stored = async (bucket: Bucket, name: string) => {
      const source = join(this.#folder, name);
      const paths = customerPaths(userId, at, "pdf");
      const path = await putFirstFree(this.#store, bucket, paths, source);
      return { bucket, path, originalName: name, uploadedBy: userId, createdAt: at };
    };
    const [resume, portfolio] = await Promise.all([
      needs.resume ? stored("resumes", "resume.pdf") : null,
      needs.portfolio ? stored("portfolios", "portfolio.pdf") : null,
    ]);
    return { resume, portfolio };
  }

  async store(
    bucket: Bucket,
    path: string,
    name: string,
    uploadedBy: string,
    createdAt: Date,
  ): Promise<Kept> {
    await this.#store.put(bucket, path, join(this.#folder, name));
    return { bucket, path, originalName: name, uploadedBy, createdAt };
  }

  async record(file: Kept): Promise<void> {
    const facts = await this.#store.stat(file.bucket, file.path);
    const mimeType = file.originalName.endsWith(".png") ? "image/png" : "application/pdf";
    await this.#tx
      .insert(storedFiles)
      .values({ ...file, mimeType, size: facts?.size ?? 0, showable: true });
  }
}

function ago(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * day);
}

function demoTxnId(at: Date): string {
  return `TXN_${randomUUID().slice(0, 8).toUpperCase()}${at.getTime()}`;
}

/** As our refunds are named to PayU. */
function demoToken(at: Date): string {
  return `R_${randomUUID().slice(0, 8).toUpperCase()}${at.getTime()}`;
}

/** Of a moment, as no two of these payments have the same. */
function paymentNumber(at: Date): number {
  return at.getTime() % 1_000_000_000;
}
