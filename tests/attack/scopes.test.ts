import { stat } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { getPicturePath } from "../../app/files/render/pictures.server.ts";
import { getPictureAddress } from "../../app/files/render/rendering.ts";
import { getFileAddress } from "../../app/files/rules.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { getExportPath } from "../../app/own-data/export/exports.server.ts";
import { dataExports } from "../../app/own-data/export/tables.server.ts";
import { day, now, toIsoDay } from "../../app/platform/clock.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { handlers } from "../support/inventory/handlers.ts";
import { type Persona, type Sender, senders } from "../support/inventory/permissions.ts";
import { type Kind, screenPaths, screens } from "../support/inventory/screens.ts";
import { orderRow } from "../support/payments/payments.ts";
import { invoicedOrder, settledRefund } from "../support/rows/invoices.ts";
import type { Everybody } from "../support/rows/people.ts";
import { plainFetch } from "../support/requests/plain-fetch.ts";
import { storedFile } from "../support/rows/reviews.ts";
import { type RunningApp, runningApp } from "../support/product/running.ts";
import { makeSenders, type SignedInSenders, signInSenders } from "../support/rows/senders.ts";
import { makeThings, type Things } from "../support/rows/things.ts";
import { tusClient } from "../support/requests/tus.ts";
import { say } from "./attacked.ts";
import { ownFolder } from "../support/product/own-folder.ts";

/**
 * Requests every address as every person with every id. `support/inventory/screens.ts` lists who can open a
 * screen, and who may see the thing behind its id. Nothing leaks to anyone else.
 */

const dataDir = ownFolder();
let app: RunningApp;
let who: Everybody;
let things: Things;
let files: { address: string; readers: Sender[] }[];
let upload: string;
let cookies: Map<Sender, string>;
/** Asha's, with an invoice and a credit note. */
let refundedOrder: string;

/** Asha's data, which only she, her reviewer and admins may see. */
const secrets: string[] = ["Asha's work needs one more page."];
const insiders: Sender[] = ["owner", "reviewer", "admin"];

beforeAll(async () => {
  let actors!: SignedInSenders;
  app = await runningApp(
    async (db) => {
      ({ who, actors } = await makeSenders(db));
    },
    { DATA_DIR: dataDir },
  );
  const { db } = app;
  cookies = await signInSenders(app, actors);

  things = await makeThings(db, who);
  await db
    .update(serviceReviews)
    .set({ reviewerFeedback: secrets[0]! })
    .where(eq(serviceReviews.id, things.reviews.completed));
  secrets.push(who.asha.email);
  files = await filesOfAsha();
  refundedOrder = await invoicedOrder(db, who.asha);
  await settledRefund(db, await orderRow(db, refundedOrder));
  const tus = tusClient(app.origin, cookies.get("owner")!);
  upload = await tus.begin({ purpose: "resume", target: "resume_review", name: "a.pdf" }, 9);
  secrets.push(...files.map(({ address }) => address));
});

/** Stores a file of the open review, and one in a draft. */
async function filesOfAsha() {
  const { db, product } = app;
  const source = "tests/fixtures/files/resume.pdf";
  const { size } = await stat(source);
  const stored = async () => {
    const { id, path } = await storedFile(db, who.asha, "resumes");
    await db.update(storedFiles).set({ size }).where(eq(storedFiles.id, id));
    const { store } = product.services;
    await store.put("resumes", path, source);
    const page = { fileId: id, page: 1, band: 0, width: "large" } as const;
    await store.put(
      "derived",
      getPicturePath(page),
      "app/review-customer/example/pictures/crop-wide.webp",
    );
    return { path, picture: getPictureAddress(page) };
  };
  const [handedIn, drafted] = [await stored(), await stored()];
  await db
    .update(serviceReviews)
    .set({ resumeFilePath: handedIn.path })
    .where(eq(serviceReviews.id, things.reviews.open));
  const readable = ({ path, picture }: typeof handedIn, readers: Sender[]) => [
    { address: getFileAddress("resumes", path), readers },
    { address: picture, readers },
  ];
  return [...readable(handedIn, insiders), ...readable(drafted, ["owner", "admin"])];
}

/** Each sender's persona in the guards. Lost roles and banned people count as none. */
const personas: Record<Sender, Persona> = {
  visitor: "visitor",
  owner: "customer",
  customer: "customer",
  subscriber: "subscriber",
  adder: "adder",
  "other adder": "adder",
  reviewer: "reviewer",
  "other reviewer": "reviewer",
  admin: "admin",
  former: "customer",
  banned: "visitor",
};

/** The addresses with the id of a thing. */
const withThings = screenPaths.filter((path) => screens[path]!.thing);

/** Returns every id of each kind. The first of each is Asha's, except for jobs, which are public. */
function idsOf(): Record<Exclude<Kind, "other">, string[]> {
  const { completed, ...reviews } = things.reviews;
  const { asha, ...others } = who;
  const { published, ...jobs } = things.jobs;
  const handed = [things.attachments[completed], ...Object.values(things.attachments)];
  return {
    review: [completed, ...Object.values(reviews)],
    job: [published, ...Object.values(jobs)],
    order: [things.order],
    submission: Object.values(things.submissions),
    company: [things.company.id, things.linked.company, ...Object.values(things.pages)],
    tracked: [things.trackedJob],
    draft: Object.values(things.drafts),
    person: [asha, ...Object.values(others)].map(({ id }) => id),
    file: [...new Set(handed.flatMap((files) => Object.values(files ?? {})))],
  };
}

/**
 * The addresses to request for a path: every id of its own kind, as a page and as data, and one id of each other
 * kind, as a page.
 */
function* addressesOf(path: string): Generator<{ id: string; address: string }> {
  const { kind } = screens[path]!.thing!;
  const at = (id: string) => path.replace(/:\w+\??/, encodeURIComponent(id));
  for (const [other, ids] of Object.entries(idsOf())) {
    if (other !== kind) yield { id: ids[0]!, address: at(ids[0]!) };
    else
      for (const id of ids) for (const form of ["", ".data"]) yield { id, address: at(id) + form };
  }
}

test.each(withThings)("%s shows a thing only to the people in its scope", async (path) => {
  let requested = 0;
  for (const { id, address } of addressesOf(path)) {
    const { who: readers, thing } = screens[path]!;
    const isShown = thing!.matches(id, { things, who });
    const may = isShown ? thing!.to.filter((sender) => readers.includes(personas[sender])) : [];
    const got: Sender[] = [];
    for (const sender of senders) {
      const { status, text } = await ask(sender, address);
      if (status === 200) got.push(sender);
      expect(leaks(sender, text), `${sender} at ${address}`).toEqual([]);
      requested += 1;
    }
    expect(got, address).toEqual(may);
  }
  say(`${requested} requests to ${path}`);
});

const queryNames = [
  "id",
  "reviewId",
  "edit",
  "reassign",
  "review",
  "user",
  "txnId",
  "search",
  "after",
];

/**
 * Leaves out a second stranger, and people without a role or session, whom `guards.test.ts` covers.
 */
const probed = senders.filter((one) => !["other adder", "former", "banned"].includes(one));

test.each(screenPaths.filter((path) => !path.includes(":")))(
  "%s ignores other people's ids in its query",
  async (path) => {
    const foreign = [things.reviews.open, things.reviews.completed, who.asha.id];
    for (const sender of probed) {
      const isIn = screens[path]!.who.includes(personas[sender]);
      // People with full access cannot leak anything, so one request is enough.
      for (const id of insiders.includes(sender) ? foreign.slice(0, 1) : foreign) {
        const query = new URLSearchParams(queryNames.map((name) => [name, id]));
        const address = path.replace("*", "nowhere");
        const { status, text } = await ask(sender, `${address}?${query}`);
        const where = `${sender} at ${path}: ${status}`;
        expect(leaks(sender, text), where).toEqual([]);
        if (!screens[path]!.redirects && path !== "/session")
          expect([200, 400, 404].includes(status), where).toBe(isIn);
      }
    }
  },
);

test("only its owner and staff can read a stored file and its pictures", async () => {
  expect(handlers["ALL /storage/*"]).toBe("owner");
  expect(handlers["GET /pictures/:file/:renderer/:name"]).toBe("owner");
  for (const { address, readers } of files) {
    for (const method of ["GET", "HEAD"]) {
      const got: Sender[] = [];
      for (const sender of senders)
        if ((await ask(sender, address, { method })).status === 200) got.push(sender);
      expect(got, `${method} ${address}`).toEqual(readers);
    }
  }
});

test("only people who can read its remarks get a review as a PDF", async () => {
  expect(handlers["GET /service-review/:id/annotated.pdf"]).toBe("owner");
  const readers: Sender[] = [];
  for (const sender of senders) {
    const address = `/service-review/${things.reviews.open}/annotated.pdf`;
    const { status, text } = await ask(sender, address);
    // While its pages are being prepared, readers are redirected and others get 404.
    if (status === 200 || status === 303) readers.push(sender);
    else expect(status, sender).toBe(404);
    expect(leaks(sender, text)).toEqual([]);
  }
  expect(readers).toEqual(["reviewer", "admin"]);
});

test("only the person gets the file with their data, and no admin", async () => {
  expect(handlers["GET /profile/data/export/:file{[0-9a-f-]{36}\\.zip}"]).toBe("owner");
  const [row] = await app.db
    .insert(dataExports)
    .values({
      userId: who.asha.id,
      startedBy: "staff",
      requestedAt: now(),
      state: "ready",
      size: (await stat("tests/fixtures/files/resume.pdf")).size,
      readyAt: now(),
      expiresAt: new Date(now().getTime() + day),
    })
    .returning({ id: dataExports.id });
  const { store } = app.product.services;
  await store.put("derived", getExportPath(row!.id), "tests/fixtures/files/resume.pdf");
  const readers: Sender[] = [];
  for (const sender of senders) {
    const { status } = await ask(sender, `/profile/data/export/${row!.id}.zip`);
    if (status === 200) readers.push(sender);
    else expect(status, sender).toBe(404);
    for (const list of ["/profile/data/export", `/admin/users/${who.asha.id}`]) {
      const { text } = await ask(sender, list);
      expect(text.includes(row!.id), `${sender} ${list}`).toBe(
        sender === "owner" && list.startsWith("/profile"),
      );
    }
  }
  expect(readers).toEqual(["owner"]);
});

test.each(["receipt", "invoice", "credit note"])(
  "only the buyer and admins get a %s as a PDF",
  async (document) => {
    const file = document === "credit note" ? "credit-note.pdf" : "receipt.pdf";
    expect(handlers[`GET /profile/payments/:orderId/${file}`]).toBe("owner");
    const orderId = document === "receipt" ? things.order : refundedOrder;
    const readers: Sender[] = [];
    for (const sender of senders) {
      const { status, text } = await ask(sender, `/profile/payments/${orderId}/${file}`);
      if (status === 200) readers.push(sender);
      else expect(status, sender).toBe(404);
      expect(leaks(sender, text)).toEqual([]);
    }
    expect(readers).toEqual(["owner", "admin"]);
  },
);

test.each(["pdf", "csv"])("a reviewer gets only their own fees as %s", async (kind) => {
  expect(handlers[`GET /reviewer/earnings/:file{20[0-9]{2}-[0-9]{2}\\.${kind}}`]).toBe("owner");
  const month = toIsoDay(now()).slice(0, 7);
  const statements = new Map<Sender, string>();
  for (const sender of senders) {
    const { status, text } = await ask(sender, `/reviewer/earnings/${month}.${kind}`);
    if (status === 200) statements.set(sender, text);
    else expect(status, sender).toBe(404);
    expect(leaks(sender, text)).toEqual([]);
  }
  expect([...statements.keys()]).toEqual(["reviewer", "other reviewer"]);
  if (kind === "csv")
    expect([...statements.values()].map((text) => text.includes("80.00"))).toEqual([true, false]);
});

test("only its owner can continue or delete an upload", async () => {
  const path = new URL(upload).pathname;
  for (const method of ["HEAD", "PATCH", "DELETE"]) {
    for (const sender of senders.filter((one) => one !== "owner")) {
      const headers = {
        "Tus-Resumable": "1.0.0",
        "Upload-Offset": "0",
        "Content-Type": "application/offset+octet-stream",
      };
      const { status } = await ask(sender, path, { method, headers });
      expect([401, 403, 404, 410], `${sender} ${method}: ${status}`).toContain(status);
    }
  }
  const tus = tusClient(app.origin, cookies.get("owner")!);
  expect((await tus.head(upload)).status).toBe(200);
});

async function ask(
  sender: Sender,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  const cookie = cookies.get(sender);
  const answer = await plainFetch(app.origin + path, {
    method,
    headers: { origin: app.origin, ...headers, ...(cookie && { cookie }) },
  });
  const headerText = [...answer.headers.values()].join("\n");
  return { status: answer.status, text: `${headerText}\n${await answer.text()}` };
}

/** Lists Asha's data in a text, unless the sender may see it. */
function leaks(sender: Sender, text: string): string[] {
  if (insiders.includes(sender)) return [];
  return secrets.filter((secret) => text.includes(secret) || text.includes(escaped(secret)));
}

/** Escapes a text as React does. */
function escaped(text: string): string {
  return text.replaceAll("'", "&#x27;");
}
