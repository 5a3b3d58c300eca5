import { randomUUID } from "node:crypto";
import { hashToken } from "../../../app/accounts/session.server.ts";
import {
  findContactAddress,
  hashContactAddress,
} from "../../../app/jobs/contact/contact-address.server.ts";
import { generateCheckToken } from "../../../app/checks/question/ask-contacts.server.ts";
import { contactQuestions } from "../../../app/checks/question/tables.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import type { Database } from "../../../app/platform/database.server.ts";
import { testConfig } from "../product/config.ts";
import { insertJob, type JobRow } from "./jobs.ts";

/** Creates an open listing whose check is due since a minute. @returns its id */
export async function dueListing(db: Database, fields: JobRow = {}): Promise<string> {
  const moment = now().getTime();
  const { id } = await insertJob(db, {
    title: "Brand Designer",
    company: "Acme",
    pocName: "Leela Menon",
    pocContact: `leela.${randomUUID().slice(-12)}@acme.example`,
    portalApplicationLink: "https://acme.example/jobs/1",
    postedAt: new Date(moment - 15 * day),
    checkedAt: new Date(moment - 14 * day - 60_000),
    checkDueAt: new Date(moment - 60_000),
    ...fields,
  });
  return id;
}

/** Creates a listing whose contact was asked. @returns their address and the token of their link */
export async function askedListing(
  db: Database,
  fields: JobRow = {},
  question: Partial<typeof contactQuestions.$inferInsert> = {},
) {
  const address = `leela.${randomUUID().slice(-12)}@acme.example`;
  const contact = { pocContact: address, ...fields };
  const jobId = await dueListing(db, contact);
  const email = findContactAddress({ checkEmail: null, ...contact })!;
  const token = generateCheckToken();
  const askedAt = now();
  await db.insert(contactQuestions).values({
    jobId,
    email,
    emailHash: hashContactAddress(testConfig(), email),
    tokenHash: hashToken(token),
    dueAt: askedAt,
    askedAt,
    ...question,
  });
  return { jobId, email, token };
}
