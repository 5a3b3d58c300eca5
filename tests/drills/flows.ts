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
import type { Somebody, World } from "./world.ts";

/** The flow of this name. */
export function flowOf(name: string): Flow {
  const flow = flows.find((one) => one.name === name);
  if (!flow) throw new Error(`There is no flow ${name}.`);
  return flow;
}

/** Everything where something would be lost, or done twice, if a process could not be killed there. */
export const flows: Flow[] = [
  { name: "upload by a plain form", by: "web", prepare: uploadByForm },
  { name: "resumable upload", by: "web", prepare: uploadInParts },
  ...paymentFlows,
  { name: "assign", by: "web", prepare: assign },
  { name: "submit", by: "web", prepare: submit },
  { name: "mail", by: "worker", prepare: sendMail },
];

/** Checks whether a statement belongs to a flow, and not to the process's regular work. */
export function isOfFlow({ by }: Pick<Flow, "by">, { asker, text }: Asked): boolean {
  if (by === "web") return asker === "naksha" && !isRenewal.test(text);
  return asker === "naksha tasks" && (!/\bpgboss\./.test(text) || isCompletion.test(text));
}

/** A statement outside of a transaction commits itself. */
export function isCommit({ text }: Asked): boolean {
  return /^.{5}\s*commit/s.test(text);
}

const isRenewal = /update "leases" set "expires_at"/;
const isCompletion = /SET completed_on/;

async function uploadByForm(world: World): Promise<Attempt> {
  const asha = await world.somebody("Asha Verma");
  const bytes = someDocument();
  const send = async () => {
    const sent = await asha.browser.sendFile("resume", "resume_review", "asha.pdf", bytes);
    return sent.status === 303 && toastsOf(sent).every(({ kind }) => kind === "success");
  };
  return { act: send, again: () => soon(send), wrong: () => wrongResume(world, asha, bytes) };
}

async function uploadInParts(world: World): Promise<Attempt> {
  const asha = await world.somebody("Asha Verma");
  const { tus } = asha.browser;
  const bytes = someDocument();
  const lost: string[] = [];
  let address: string | null = null;
  let arrived = 0;

  /** Continues like a browser: asks how much arrived, and sends the rest. */
  async function goOn(): Promise<boolean> {
    if (address) {
      const { status, headers } = await tus.head(address);
      const offset = Number(headers.get("Upload-Offset"));
      if (status !== 200) lost.push(`An upload that was begun is answered by ${status}.`);
      else if (offset < arrived) lost.push(`Of ${arrived} bytes ${arrived - offset} are lost.`);
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
    act: goOn,
    again: () => soon(goOn),
    wrong: async () => [...lost, ...(await wrongResume(world, asha, bytes))],
  };
}

async function wrongResume(world: World, { actor, browser }: Somebody, bytes: Buffer) {
  const [draft] = await world.db
    .select({ path: storedFiles.path })
    .from(reviewDrafts)
    .innerJoin(storedFiles, eq(storedFiles.id, reviewDrafts.resumeFileId))
    .where(eq(reviewDrafts.userId, actor.id));
  if (!draft) return ["A resume that was uploaded is in no draft."];
  const file = await browser.get(`/storage/resumes/${draft.path}`);
  const found = Buffer.from(await file.arrayBuffer());
  return found.equals(bytes) ? [] : [`A resume cannot be read back whole (${file.status}).`];
}

async function assign(world: World): Promise<Attempt> {
  const { db, admin } = world;
  const asha = await world.somebody("Asha Verma");
  const meera = await world.somebody("Meera Iyer", { roles: ["reviewer"] });
  const reviewId = await pendingReview(db, asha.actor);
  const send = async () => {
    const fields = { review: reviewId, reviewer: meera.actor.id };
    const sent = await admin.browser.post("/admin/reviews", fields);
    const said = await sent.text();
    return said.includes("Successfully assigned") || said.includes("already assigned");
  };
  return {
    act: send,
    again: () => soon(send),
    wrong: async () => [
      ...(await notOnce(db.$count(reviewAssignments, eq(reviewAssignments.reviewId, reviewId)))),
      ...(await wrongTraces(world, reviewId, "review.assign", [asha, meera])),
    ],
  };
}

async function submit(world: World): Promise<Attempt> {
  const { db } = world;
  const asha = await world.somebody("Asha Verma");
  const meera = await world.somebody("Meera Iyer", { roles: ["reviewer"] });
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
      ...(await notOnce(db.$count(serviceReviews, isSubmitted))),
      ...(await wrongTraces(world, reviewId, "review.submit", [asha])),
    ],
  };
}

async function notOnce(counting: PromiseLike<number>): Promise<string[]> {
  const times = await counting;
  return times === 1 ? [] : [`What was done once is there ${times} times.`];
}

/** Checks for one line in the history, and one mail to each person concerned. */
async function wrongTraces(
  { db }: World,
  reviewId: string,
  event: string,
  addressees: Somebody[],
): Promise<string[]> {
  const wrong: string[] = [];
  const lines = and(eq(auditEvents.event, event), eq(auditEvents.subjectId, reviewId));
  const times = await db.$count(auditEvents, lines);
  if (times !== 1) wrong.push(`The history has ${event} ${times} times.`);
  for (const { actor } of addressees) {
    const queued = await db.$count(mails, eq(mails.recipient, actor.email));
    if (queued !== 1) wrong.push(`Of ${event} ${queued} mails were written to one person.`);
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
      const taken = world.received.filter((text) => text.includes(`Subject: ${cause}`));
      return taken.length > 0 ? [] : ["A mail never arrived."];
    },
  };
}

/** Hardly two are of the same size, so that a mix-up would show. */
function someDocument(): Buffer {
  return pdfOf(60_000 + Math.floor(Math.random() * 1_000_000));
}
