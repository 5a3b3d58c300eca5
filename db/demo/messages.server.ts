import { desc, eq } from "drizzle-orm";
import { users } from "../../app/accounts/tables.server.ts";
import type { AuditEvent } from "../../app/platform/audit.server.ts";
import { day, hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import {
  generateTicket,
  startClocks,
  reopened,
  startReadingClock,
} from "../../app/support/send-message.server.tsx";
import type { MessageKind, MessageState } from "../../app/support/rules.ts";
import {
  answerTemplates,
  supportAnswers,
  supportMessages,
} from "../../app/support/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

/** A later action of an admin or the writer, and its time in hours after the message. */
type Step = { hours: number } & (
  | { did: "take-over" | "close" }
  | { did: "answer" | "follow-up"; text: string }
);

type Plan = {
  /** The key of a signed-in demo person, or a visitor's name and email. */
  from: string | { name: string; email: string };
  subject: string;
  message: string;
  daysAgo: number;
  kind?: MessageKind;
  note?: string;
  /** True if it is linked to the writer's newest review. */
  isAboutReview?: boolean;
  steps?: Step[];
  isSpam?: boolean;
};

/** Messages in every state. All are newer than a month, after which their emails are deleted. */
const plans: Plan[] = [
  {
    from: "asha",
    subject: "When will my portfolio review start?",
    message:
      "I paid for a portfolio review this morning and the page says it's waiting for a reviewer.\nMy interview is on Friday. Will it be ready before that?",
    daysAgo: 0.1,
    note: "Bought today, due in two days. Kabir has room tomorrow.",
    isAboutReview: true,
  },
  {
    from: { name: "Leela Thomas", email: "leela@example.com" },
    subject: "A review for a team of four",
    message:
      "We are four designers at a small agency and would like a portfolio review each. Can we pay once, with one receipt for all four?",
    daysAgo: 1.3,
  },
  {
    from: { name: "Nikhil Rao", email: "nikhil.rao@example.com" },
    subject: "A company asked me for a deposit",
    message:
      'I applied for a listing on your board. The person who called asked me to pay ₹4,500 for "training material" before the interview. I did not pay. Please look at this listing before someone else does.',
    daysAgo: 2.4,
    kind: "complaint",
  },
  {
    from: "ravi",
    subject: "Please send me the data you have about me",
    message:
      "I would like a copy of everything you store about me: my account, my payments and my review with its files.",
    daysAgo: 4.2,
    kind: "privacy",
    note: "Prepare the files by Friday. Identity is clear: logged in with the account's address.",
    steps: [{ hours: 3, did: "take-over" }],
  },
  {
    from: { name: "Farida Merchant", email: "farida@studio-neem.example.com" },
    subject: "Our listing shows an old address",
    message:
      "The listing for our brand designer still shows our old office in Pune. We moved to Kothrud in October. Could you correct it?",
    daysAgo: 3.4,
    steps: [
      {
        hours: 5,
        did: "answer",
        text: "Thank you for telling us. We have passed it on to the person who posted the listing, and it will be correct by tomorrow.",
      },
    ],
  },
  {
    from: "ravi",
    subject: "Which review should I buy first?",
    message:
      "I have a resume of one page and a portfolio with two projects that are not finished yet. Which review makes more sense now?",
    daysAgo: 6.2,
    steps: [
      {
        hours: 20,
        did: "answer",
        text: "Start with the resume review. It stays useful however your portfolio changes. Once the second project is finished, a portfolio review will tell you much more than it would today.",
      },
    ],
  },
  {
    from: { name: "Imran Sheikh", email: "imran.shiekh@example.com" },
    subject: "Do you review 3D showreels?",
    message:
      "Most of my work is in Blender and my portfolio is a video of two minutes. Do your reviewers look at videos as well?",
    daysAgo: 9.6,
    steps: [
      {
        hours: 3,
        did: "answer",
        text: "Our reviewers read PDF files and websites. If your showreel is on a page of your site, send us that link and they'll watch it there.",
      },
    ],
  },
  {
    from: "asha",
    subject: "My refund hasn't arrived",
    message:
      "You approved my refund last week. My bank doesn't show it, and the payments page says it is on its way.",
    daysAgo: 11.5,
    kind: "complaint",
    steps: [
      { hours: 2, did: "take-over" },
      {
        hours: 6,
        did: "answer",
        text: "PayU sent it to your card on Tuesday. Banks can take up to seven working days to show it. Please tell us if it isn't there by the end of next week.",
      },
      { hours: 60, did: "close" },
      {
        hours: 262,
        did: "follow-up",
        text: "It's still not there, and the seven days are over. My bank asks for a reference number.",
      },
    ],
  },
  {
    from: "sonia",
    subject: "How do I archive a listing?",
    message: "One of my listings is filled. Where can I take it off the board?",
    daysAgo: 12.5,
    steps: [
      {
        hours: 2,
        did: "answer",
        text: "Open your job listings and choose Archive next to the listing. It leaves the board immediately and stays in your list.",
      },
      { hours: 30, did: "close" },
    ],
  },
  {
    from: { name: "Jo Fernandes", email: "jo.fernandes@example.com" },
    subject: "Thank you for the review",
    message:
      "No question, just thanks: the remarks on my resume were kind and precise, and I have an interview next week.",
    daysAgo: 17.8,
    note: "Meera has seen it.",
    steps: [{ hours: 8, did: "close" }],
  },
  {
    from: { name: "Growth Desk", email: "growth-desk@example.com" },
    subject: "Your website on page one in seven days",
    message:
      "We put your website on page one of every search. Reply now for our offer of the week.",
    daysAgo: 2.2,
    isSpam: true,
  },
];

const templates = [
  {
    title: "Refund is on its way",
    text: "PayU has sent your refund to the card or account you paid with. It can take your bank up to seven working days to show it. The reference number is on your Payments page.",
  },
  {
    title: "How to replace a file",
    text: "Materials can't be changed after you submit them, because your reviewer may have started. If you sent the wrong file within the last hour, reply with the right one and we'll ask the reviewer.",
  },
  {
    title: "Thanks for reporting a listing",
    text: "Thank you for telling us. We've asked the person who posted the listing, and we take it down if they can't explain it. Never pay for an interview or a job.",
  },
];

/**
 * Loads contact messages in every state, with their replies, and saved replies.
 *
 * @returns their events for the history
 */
export async function loadDemoMessages(
  tx: Database,
  ids: DemoIds,
  moment: Date,
): Promise<AuditEvent[]> {
  await tx.insert(answerTemplates).values(templates.map((one) => ({ ...one, createdAt: moment })));
  const events: AuditEvent[] = [];
  for (const plan of plans) events.push(...(await loadMessage(tx, ids, plan, moment)));
  return events;
}

async function loadMessage(
  tx: Database,
  ids: DemoIds,
  { from, daysAgo, isAboutReview = false, steps = [], isSpam = false, ...fields }: Plan,
  moment: Date,
): Promise<AuditEvent[]> {
  const createdAt = new Date(moment.getTime() - daysAgo * day);
  const ticket = generateTicket();
  const sender = await findSender(tx, ids, from);
  const reviewId =
    isAboutReview && "senderId" in sender ? await findReview(tx, sender.senderId) : null;
  const [message] = await tx
    .insert(supportMessages)
    .values({
      ...fields,
      ...sender,
      reviewId,
      ticket,
      createdAt,
      confirmedAt: isSpam ? null : createdAt,
      isSuspected: isSpam,
      ...startClocks(createdAt),
    })
    .returning();
  const actor = { id: ids.get("gita")!, fullName: "Gita Menon" };
  const events: AuditEvent[] = [];
  let current = message!;
  for (const step of steps) {
    const at = new Date(createdAt.getTime() + step.hours * hour);
    const { changes, event } = getOutcome(step, current, { at, adminId: actor.id });
    if ("text" in step)
      await tx.insert(supportAnswers).values({
        messageId: current.id,
        at,
        authorName: step.did === "answer" ? actor.fullName : current.name,
        answer: step.text,
        isFromWriter: step.did === "follow-up",
      });
    const [changed] = await tx
      .update(supportMessages)
      .set(changes)
      .where(eq(supportMessages.id, current.id))
      .returning();
    if (event) events.push({ actor, at, subject: { type: "message", id: ticket }, ...event });
    current = changed!;
  }
  return events;
}

/** Returns the columns that a step changes, and its event for the history. */
function getOutcome(
  { did }: Step,
  { state, acknowledgedAt, ownerId }: typeof supportMessages.$inferSelect,
  { at, adminId }: { at: Date; adminId: string },
) {
  const readAt = acknowledgedAt ?? at;
  const change = (event: string, to: MessageState) => ({
    event,
    before: { status: state },
    after: { status: to },
  });
  if (did === "take-over")
    return {
      changes: { ownerId: adminId, acknowledgedAt: readAt },
      event: { event: "message.take-over", before: { ownerId }, after: { ownerId: adminId } },
    };
  if (did === "answer")
    return {
      changes: { state: "answered" as const, ownerId: ownerId ?? adminId, acknowledgedAt: readAt },
      event: change("message.answer", "answered"),
    };
  if (did === "close")
    return {
      changes: { state: "closed" as const, acknowledgedAt: readAt, settledAt: at },
      event: change("message.close", "closed"),
    };
  return {
    changes: {
      state: "open" as const,
      ...startReadingClock(at),
      ...(state === "closed" && reopened),
    },
    event: null,
  };
}

async function findReview(tx: Database, userId: string): Promise<string | null> {
  const [review] = await tx
    .select({ id: serviceReviews.id })
    .from(serviceReviews)
    .where(eq(serviceReviews.userId, userId))
    .orderBy(desc(serviceReviews.createdAt))
    .limit(1);
  return review?.id ?? null;
}

async function findSender(tx: Database, ids: DemoIds, from: Plan["from"]) {
  if (typeof from !== "string") return from;
  const senderId = ids.get(from)!;
  const [user] = await tx
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, senderId));
  return { ...user!, senderId };
}
