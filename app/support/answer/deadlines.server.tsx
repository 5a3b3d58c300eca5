import { and, asc, eq, gt, inArray, isNull, lt, lte, ne, not, sql, type SQL } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { listStaff } from "../../accounts/mail-choices/mail-choices.server.ts";
import { authorize } from "../../accounts/permissions.server.ts";
import { queueMail } from "../../mail/deliver-mail.server.ts";
import { day, formatShortDateTime, getDayStart, now, toIsoDay } from "../../platform/clock.ts";
import type { Database } from "../../platform/database.server.ts";
import type { Task } from "../../platform/tasks.server.ts";
import type { SupportSettings } from "../send-message.server.tsx";
import { MessagesDueMail } from "../emails.tsx";
import {
  acknowledgeWithin,
  type DeadlineCount,
  messageFiguresDays,
  type MessageKind,
  reopenPeriod,
  warnUnacknowledgedAfter,
  warnUnsettledAfter,
} from "../rules.ts";
import { supportAnswers, supportMessages } from "../tables.server.ts";

/**
 * Creates the task that emails god admins about messages shortly before their deadlines, and closes messages whose
 * writer did not reply.
 */
export function createMessageDeadlinesTask(config: SupportSettings): Task<object> {
  return {
    name: "watch-messages",
    schedule: "*/10 * * * *",
    async run(_data, { db }) {
      await closeAnsweredMessages(db);
      await sendMessageWarnings(db, config);
    },
  };
}

const isOpen = and(not(supportMessages.isSuspected), ne(supportMessages.state, "closed"));

/** Closes messages that have waited for their writer's reply for 14 days. */
export async function closeAnsweredMessages(db: Database): Promise<void> {
  const lastAnswerAt = db
    .select({ at: sql`max(${supportAnswers.at})` })
    .from(supportAnswers)
    .where(eq(supportAnswers.messageId, supportMessages.id));
  const moment = now();
  await db
    .update(supportMessages)
    .set({ state: "closed", settledAt: moment })
    .where(
      and(
        not(supportMessages.isSuspected),
        eq(supportMessages.state, "answered"),
        lt(sql`(${lastAnswerAt})`, new Date(moment.getTime() - reopenPeriod)),
      ),
    );
}

type Warning = {
  /** The start of the emails' cause. */
  name: string;
  column: "unreadWarnedAt" | "unsettledWarnedAt";
  /** Selects the messages whose time for a warning has come. */
  isDue(moment: Date): SQL | undefined;
  deadline: (message: typeof supportMessages.$inferSelect) => Date;
  title(count: number): string;
};

const warnings: Warning[] = [
  {
    name: "messages-unread",
    column: "unreadWarnedAt",
    isDue: (moment) =>
      and(
        isNull(supportMessages.acknowledgedAt),
        lte(
          supportMessages.acknowledgeBy,
          new Date(moment.getTime() + acknowledgeWithin - warnUnacknowledgedAfter),
        ),
      ),
    deadline: ({ acknowledgeBy }) => acknowledgeBy,
    title: (count) =>
      count === 1 ? "A message is still unread" : `${count} messages are still unread`,
  },
  {
    name: "messages-unsettled",
    column: "unsettledWarnedAt",
    // The month for settling is counted back, since months differ in length.
    isDue: (moment) =>
      lte(
        sql`${supportMessages.dueAt} - interval '1 month'`,
        new Date(moment.getTime() - warnUnsettledAfter),
      ),
    deadline: ({ dueAt }) => dueAt,
    title: (count) =>
      count === 1 ? "A message isn't settled yet" : `${count} messages aren't settled yet`,
  },
];

/** The number of messages that one email counts. The next run takes the rest. */
const batch = 500;
const maxListed = 20;

/** Emails god admins about messages that are due soon, once for each message and deadline. */
export async function sendMessageWarnings(db: Database, config: SupportSettings): Promise<void> {
  const admins = await listStaff(db, "god_admin");
  if (admins.length === 0) return;
  for (const warning of warnings)
    await db.transaction((tx) => sendWarning(tx, config, { admins, ...warning }));
}

async function sendWarning(
  tx: Database,
  { origin, product }: SupportSettings,
  {
    admins,
    name,
    column,
    isDue,
    deadline,
    title,
  }: Warning & { admins: { id: string; email: string }[] },
): Promise<void> {
  const moment = now();
  const due = await tx
    .select()
    .from(supportMessages)
    .where(and(isOpen, isNull(supportMessages[column]), isDue(moment)))
    .orderBy(asc(supportMessages.nextDueAt), asc(supportMessages.id))
    .limit(batch)
    .for("update", { skipLocked: true });
  const [first] = due;
  if (!first) return;
  const ids = due.map(({ id }) => id);
  await tx
    .update(supportMessages)
    .set({ [column]: moment })
    .where(inArray(supportMessages.id, ids));
  for (const { id, email } of admins)
    await queueMail(tx, {
      cause: `${name}:${first.id}:${deadline(first).getTime()}:${id}`,
      to: email,
      subject: title(due.length),
      body: (
        <MessagesDueMail
          product={product}
          origin={origin}
          title={title(due.length)}
          messages={due.slice(0, maxListed).map((message) => ({
            ticket: message.ticket,
            subject: message.subject,
            due: describeDeadline(deadline(message), moment),
          }))}
          total={due.length}
        />
      ),
    });
}

function describeDeadline(deadline: Date, moment: Date): string {
  return `${deadline < moment ? "was due" : "due"} ${formatShortDateTime(deadline)}`;
}

/**
 * Counts how many messages of the last 90 days were read and settled in time.
 *
 * @param kind counts only messages of this kind
 */
export async function countMetDeadlines(
  db: Database,
  kind: MessageKind | null = null,
): Promise<Record<"acknowledged" | "settled", DeadlineCount>> {
  const moment = now();
  const { acknowledgedAt, acknowledgeBy, wasReadLate, settledAt, dueAt } = supportMessages;
  const count = (condition: SQL | undefined) =>
    sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
  const [figures] = await db
    .select({
      acknowledgedInTime: count(sql`${acknowledgedAt} <= ${acknowledgeBy} and not ${wasReadLate}`),
      acknowledged: count(
        sql`${acknowledgedAt} is not null or ${wasReadLate} or ${lt(acknowledgeBy, moment)}`,
      ),
      settledInTime: count(sql`${settledAt} <= ${dueAt}`),
      settled: count(sql`${settledAt} is not null or ${lt(dueAt, moment)}`),
    })
    .from(supportMessages)
    .where(
      and(
        not(supportMessages.isSuspected),
        gt(supportMessages.createdAt, new Date(moment.getTime() - messageFiguresDays * day)),
        kind ? eq(supportMessages.kind, kind) : undefined,
      ),
    );
  return {
    acknowledged: { inTime: figures!.acknowledgedInTime, total: figures!.acknowledged },
    settled: { inTime: figures!.settledInTime, total: figures!.settled },
  };
}

/** Counts how many messages of the last 90 days were read and settled in time, and how many are due today. */
export async function getMessageFigures(db: Database, actor: Actor | null) {
  authorize(actor, "message.answer");
  const moment = now();
  const { nextDueAt } = supportMessages;
  const midnight = new Date(getDayStart(toIsoDay(moment)).getTime() + day);
  const [inTime, dueToday] = await Promise.all([
    countMetDeadlines(db),
    db.$count(
      supportMessages,
      and(isOpen, sql`${nextDueAt} >= ${moment.toISOString()}`, lt(nextDueAt, midnight)),
    ),
  ]);
  return { ...inTime, dueToday };
}
