import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { createElement } from "react";
import { storedFiles } from "../../app/files/tables.server.ts";
import { queueMail } from "../../app/mail/deliver-mail.server.ts";
import { mails } from "../../app/mail/tables.server.ts";
import { auditEvents } from "../../app/platform/tables.server.ts";
import {
  reviewAssignments,
  reviewDrafts,
  serviceReviews,
} from "../../app/reviews/tables.server.ts";
import { getDraftVersion } from "../../app/review-staff/workspace/own-review.server.ts";
import type { Asked } from "../support/servers/database-proxy.ts";
import { assignedReview, pendingReview } from "../support/rows/review-states.ts";
import { pdfOf } from "../support/requests/uploads.ts";
import { toastsOf } from "../support/requests/visitor.ts";
import type { Attempt, Flow } from "./flow.ts";
import { paymentFlows } from "./payment-flows.ts";
import { soon } from "./soon.ts";
import type { Person, World } from "./world.ts";

/** Returns a flow by its name. */
export function flowOf(name: string): Flow {
  const flow = flows.find((one) => one.name === name);
  if (!flow) throw new Error(`There is no flow ${name}.`);
  return flow;
}

/** The actions that must neither be lost nor repeated if a process is killed. */
export const flows: Flow[] = [
  { name: "upload by a plain form", by: "web", prepare: uploadByForm },
  { name: "resumable upload", by: "web", prepare: uploadInParts },
  ...paymentFlows,
  { name: "assign", by: "web", prepare: assign },
  { name: "submit", by: "web", prepare: submit },
  { name: "mail", by: "worker", prepare: sendMail },
];

/** Checks whether a statement belongs to a flow, not to the process's regular work. */
export function isOfFlow({ by }: Pick<Flow, "by">, { asker, text }: Asked): boolean {
  if (by === "web") return asker === "naksha" && !isRenewal.test(text);
  return asker === "naksha tasks" && (!/\bpgboss\./.test(text) || isCompletion.test(text));
}

/** Checks for the COMMIT of a transaction. */
export function isCommit({ text }: Asked): boolean {
  return /^.{5}\s*commit/s.test(text);
}

const isRenewal = /update "leases" set "expires_at"/;
const isCompletion = /SET completed_on/;

async function uploadByForm(world: World): Promise<Attempt> {
  const asha = await world.createPerson("Asha Verma");
  const bytes = randomDocument();
  const send = async () => {
    const sent = await asha.browser.sendFile("resume", "resume_review", "asha.pdf", bytes);
    return sent.status === 303 && toastsOf(sent).every(({ kind }) => kind === "success");
  };
  return { act: send, again: () => soon(send), wrong: () => wrongResume(world, asha, bytes) };
}

async function uploadInParts(world: World): Promise<Attempt> {
  const asha = await world.createPerson("Asha Verma");
  const { tus } = asha.browser;
  const bytes = randomDocument();
  const lost: string[] = [];
  let address: string | null = null;
  let arrived = 0;

  /** Continues like a browser: asks how much arrived, and sends the rest. */
  async function continueUpload(): Promise<boolean> {
    if (address) {
      const { status, headers } = await tus.head(address);
      const offset = Number(headers.get("Upload-Offset"));
      if (status !== 200) lost.push(`A started upload was answered with ${status}.`);
      else if (offset < arrived) lost.push(`${arrived - offset} of ${arrived} bytes are lost.`);
      arrived = offset;
      if (arrived === bytes.length) return true;
    } else {
      const declared = { purpose: "resume", target: "resume_review", name: "asha.pdf" };
      address = await tus.begin(declared, bytes.length);
    }
    const middle = bytes.length >> 1;
    for (const end of [middle, bytes.length]) {
      if (arrived >= end) continue;
      const sent = await tus.send(address, arrived, bytes.subarray(arrived, end));
      if (!sent.ok) return false;
      arrived = end;
    }
    return true;
  }

  return {
    act: continueUpload,
    again: () => soon(continueUpload),
    wrong: async () => [...lost, ...(await wrongResume(world, asha, bytes))],
  };
}

async function wrongResume(world: World, { actor, browser }: Person, bytes: Buffer) {
  const [draft] = await world.db
    .select({ path: storedFiles.path })
    .from(reviewDrafts)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewDrafts.resumeFileId))
    .where(eq(reviewDrafts.userId, actor.id));
  if (!draft) return ["The uploaded resume is in no draft."];
  const file = await browser.get(`/storage/resumes/${draft.path}`);
  const found = Buffer.from(await file.arrayBuffer());
  return found.equals(bytes) ? [] : [`The uploaded resume has changed (${file.status}).`];
}

async function assign(world: World): Promise<Attempt> {
  const { db, admin } = world;
  const asha = await world.createPerson("Asha Verma");
  const meera = await world.createPerson("Meera Iyer", { roles: ["reviewer"] });
  const reviewId = await pendingReview(db, asha.actor);
  const send = async () => {
    const fields = { review: reviewId, reviewer: meera.actor.id };
    const sent = await admin.browser.post("/admin/reviews", fields);
    const page = await sent.text();
    return page.includes("Successfully assigned") || page.includes("already assigned");
  };
  return {
    act: send,
    again: () => soon(send),
    wrong: async () => [
      ...(await checkOnce(db.$count(reviewAssignments, eq(reviewAssignments.reviewId, reviewId)))),
      ...(await wrongTraces(world, reviewId, "review.assign", [asha, meera])),
    ],
  };
}

async function submit(world: World): Promise<Attempt> {
  const { db } = world;
  const asha = await world.createPerson("Asha Verma");
  const meera = await world.createPerson("Meera Iyer", { roles: ["reviewer"] });
  const reviewId = await assignedReview(db, asha.actor, meera.actor);
  const feedback = `Lead with the outcome. ${randomUUID()}`;
  const send = async () => {
    const fields = { intent: "submit", feedback, version: getDraftVersion(null) };
    const sent = await meera.browser.post(`/reviewer/submission/${reviewId}`, fields);
    return sent.status === 302 || (await sent.text()).includes("already been submitted");
  };
  const isSubmitted = and(
    eq(serviceReviews.id, reviewId),
    eq(serviceReviews.status, "completed"),
    eq(serviceReviews.reviewerFeedback, feedback),
  );
  return {
    act: send,
    again: () => soon(send),
    wrong: async () => [
      ...(await checkOnce(db.$count(serviceReviews, isSubmitted))),
      ...(await wrongTraces(world, reviewId, "review.submit", [asha])),
    ],
  };
}

async function checkOnce(count: PromiseLike<number>): Promise<string[]> {
  const times = await count;
  return times === 1 ? [] : [`The action was recorded ${times} times.`];
}

/** Checks for one audit event, and one email to each person concerned. */
async function wrongTraces(
  { db }: World,
  reviewId: string,
  event: string,
  recipients: Person[],
): Promise<string[]> {
  const wrong: string[] = [];
  const lines = and(eq(auditEvents.event, event), eq(auditEvents.subjectId, reviewId));
  const times = await db.$count(auditEvents, lines);
  if (times !== 1) wrong.push(`The history has ${event} ${times} times.`);
  for (const { actor } of recipients) {
    const queued = await db.$count(mails, eq(mails.recipient, actor.email));
    if (queued !== 1) wrong.push(`${event} queued ${queued} emails to one person.`);
  }
  return wrong;
}

async function sendMail(world: World): Promise<Attempt> {
  const { db } = world;
  const cause = `drill:${randomUUID()}`;
  const mail = { cause, to: "asha@example.com", subject: cause, body: createElement("p") };
  const sent = () =>
    world.inTime(async () => {
      const [row] = await db.select().from(mails).where(eq(mails.cause, cause));
      return row?.sentAt != null;
    });
  return {
    act: async () => {
      await db.transaction((tx) => queueMail(tx, mail));
      await sent();
      return true;
    },
    again: sent,
    wrong: async () => {
      const arrived = world.received.filter((text) => text.includes(`Subject: ${cause}`));
      return arrived.length > 0 ? [] : ["An email never arrived."];
    },
  };
}

/** Creates a document of random size, so that tests notice a mix-up. */
function randomDocument(): Buffer {
  return pdfOf(60_000 + Math.floor(Math.random() * 1_000_000));
}
