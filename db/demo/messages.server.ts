import { eq } from "drizzle-orm";
import { users } from "../../app/accounts/tables.server.ts";
import type { AuditEvent } from "../../app/platform/audit.server.ts";
import { day, hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { generateTicket } from "../../app/support/contact-messages.server.tsx";
import type { MessageState } from "../../app/support/rules.ts";
import { contactAnswers, contactMessages } from "../../app/support/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

type Plan = {
  /** The key of a signed-in demo person, or a visitor's name and email. */
  from: string | { name: string; email: string };
  subject: string;
  message: string;
  daysAgo: number;
  note?: string;
  /** Hours between the message and an admin's answer. */
  answer?: { hours: number; text: string };
  /** Hours between the message and its closing by an admin. */
  closedAfter?: number;
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
  },
  {
    from: { name: "Leela Thomas", email: "leela@example.com" },
    subject: "A review for a team of four",
    message:
      "We are four designers at a small agency and would like a portfolio review each. Can we pay once, with one receipt for all four?",
    daysAgo: 1.3,
  },
  {
    from: { name: "Farida Merchant", email: "farida@studio-neem.example.com" },
    subject: "Our listing shows an old address",
    message:
      "The listing for our brand designer still shows our old office in Pune. We moved to Kothrud in October. Could you correct it?",
    daysAgo: 3.4,
    answer: {
      hours: 5,
      text: "Thank you for telling us. We have passed it on to the person who posted the listing, and it will be correct by tomorrow.",
    },
  },
  {
    from: "ravi",
    subject: "Which review should I buy first?",
    message:
      "I have a resume of one page and a portfolio with two projects that are not finished yet. Which review makes more sense now?",
    daysAgo: 6.2,
    answer: {
      hours: 20,
      text: "Start with the resume review. It stays useful however your portfolio changes. Once the second project is finished, a portfolio review will tell you much more than it would today.",
    },
  },
  {
    from: { name: "Imran Sheikh", email: "imran.shiekh@example.com" },
    subject: "Do you review 3D showreels?",
    message:
      "Most of my work is in Blender and my portfolio is a video of two minutes. Do your reviewers look at videos as well?",
    daysAgo: 9.6,
    answer: {
      hours: 3,
      text: "Our reviewers read PDF files and websites. If your showreel is on a page of your site, send us that link and they'll watch it there.",
    },
  },
  {
    from: "sonia",
    subject: "How do I archive a listing?",
    message: "One of my listings is filled. Where can I take it off the board?",
    daysAgo: 12.5,
    answer: {
      hours: 2,
      text: "Open your job listings and choose Archive next to the listing. It leaves the board immediately and stays in your list.",
    },
    closedAfter: 30,
  },
  {
    from: { name: "Jo Fernandes", email: "jo.fernandes@example.com" },
    subject: "Thank you for the review",
    message:
      "No question, just thanks: the remarks on my resume were kind and precise, and I have an interview next week.",
    daysAgo: 17.8,
    note: "Meera has seen it.",
    closedAfter: 8,
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

/**
 * Loads contact messages in every state, with their answers.
 *
 * @returns their events for the history
 */
export async function loadDemoMessages(
  tx: Database,
  ids: DemoIds,
  moment: Date,
): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  for (const plan of plans) events.push(...(await loadMessage(tx, ids, plan, moment)));
  return events;
}

async function loadMessage(
  tx: Database,
  ids: DemoIds,
  { from, daysAgo, answer, closedAfter, isSpam = false, ...fields }: Plan,
  moment: Date,
): Promise<AuditEvent[]> {
  const createdAt = new Date(moment.getTime() - daysAgo * day);
  const after = (hours: number) => new Date(createdAt.getTime() + hours * hour);
  const ticket = generateTicket();
  const [message] = await tx
    .insert(contactMessages)
    .values({
      ...fields,
      ...(await findSender(tx, ids, from)),
      ticket,
      createdAt,
      confirmedAt: isSpam ? null : createdAt,
      isSuspected: isSpam,
      state: closedAfter ? "closed" : answer ? "answered" : "open",
    })
    .returning({ id: contactMessages.id });
  const actor = { id: ids.get("gita")!, fullName: "Gita Menon" };
  if (answer)
    await tx.insert(contactAnswers).values({
      messageId: message!.id,
      at: after(answer.hours),
      authorName: actor.fullName,
      answer: answer.text,
    });
  const change = (event: string, hours: number, from: MessageState, to: MessageState) => ({
    actor,
    at: after(hours),
    event,
    subject: { type: "message", id: ticket },
    before: { status: from },
    after: { status: to },
  });
  return [
    ...(answer ? [change("message.answer", answer.hours, "open", "answered")] : []),
    ...(closedAfter
      ? [change("message.close", closedAfter, answer ? "answered" : "open", "closed")]
      : []),
  ];
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
