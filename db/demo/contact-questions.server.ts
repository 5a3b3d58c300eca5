import { eq } from "drizzle-orm";
import { hashToken } from "../../app/accounts/session.server.ts";
import {
  buildCheckLink,
  generateCheckToken,
} from "../../app/checks/question/ask-contacts.server.ts";
import {
  findContactAddress,
  hashContactAddress,
} from "../../app/jobs/contact/contact-address.server.ts";
import { buildQuestionMail } from "../../app/checks/question/emails.tsx";
import { contactQuestions } from "../../app/checks/question/tables.server.ts";
import { jobs } from "../../app/jobs/tables.server.ts";
import { createMail } from "../../app/mail/deliver-mail.server.ts";
import { day, hour, second } from "../../app/platform/clock.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";

/** The title of the demo listing whose contact was asked. They are the contact of other listings too. */
const askedTitle = "Art Director";

/** Loads a question to a contact that waits for an answer. Its email is in the demo inbox. */
export async function loadDemoQuestions(
  tx: Database,
  config: Pick<Config, "origin" | "product" | "secrets">,
  moment: Date,
): Promise<void> {
  const [job] = await tx.select().from(jobs).where(eq(jobs.title, askedTitle));
  const { id: jobId, title, company } = job!;
  const email = findContactAddress(job!)!;
  const dueAt = new Date(moment.getTime() - 20 * hour);
  const askedAt = new Date(dueAt.getTime() + hour / 2);
  const checked = { checkedAt: new Date(dueAt.getTime() - 14 * day), checkDueAt: dueAt };
  await tx.update(jobs).set(checked).where(eq(jobs.id, jobId));
  const token = generateCheckToken();
  const emailHash = hashContactAddress(config, email);
  const [question] = await tx
    .insert(contactQuestions)
    .values({ jobId, email, emailHash, tokenHash: hashToken(token), dueAt, askedAt })
    .returning({ id: contactQuestions.id });
  const link = buildCheckLink(config, token);
  const about = { questionId: question!.id, kind: "check", title, company, link } as const;
  const mail = buildQuestionMail(config, email, [about], askedAt);
  const sentAt = new Date(askedAt.getTime() + 2 * second);
  await createMail(tx, mail, { createdAt: askedAt, sentAt });
}
