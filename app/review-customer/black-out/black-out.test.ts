import { services } from "../../reviews/rules.ts";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { makePdf, streamObject } from "../../../tests/support/documents/pdf.ts";
import { testPayments } from "../../../tests/support/payments/payments.ts";
import { testConfig } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { ensurePages, listPageTexts } from "../../annotations/document-pages/pages.server.ts";
import { createRenderPagesTask } from "../../annotations/document-pages/render-pages.server.ts";
import { listMachineReadings } from "../../annotations/machine-reading/machine-reading.server.ts";
import { renderedFiles } from "../../annotations/tables.server.ts";
import { openPdfium } from "../../files/inspect/pdfium.server.ts";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import { renderProcess } from "../../files/render/render-process.server.ts";
import { storedFiles } from "../../files/tables.server.ts";
import { orders } from "../../payments/tables.server.ts";
import { now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import type { PageBox } from "../../reviews/black-out.ts";
import { findReadableFile } from "../../reviews/may-read-file.server.ts";
import {
  blackOuts,
  reviewAssignments,
  reviewDrafts,
  reviewOrders,
  serviceReviews,
} from "../../reviews/tables.server.ts";
import { createPaidReview } from "../buy/create-paid-review.server.ts";
import { listDraftPreviews } from "../buy/draft-previews.server.ts";
import { changeDraft, getDraft } from "../buy/drafts.server.ts";
import { startReviewPayment } from "../buy/review-payments.server.ts";
import { findCopyProblem, materialsChanged } from "../buy/submission.ts";
import {
  draftColumns,
  findBlackOut,
  makeCopyTask,
  requestCopy,
  restoreOriginal,
} from "./black-outs.server.ts";
import { blackOutMessages, maxBoxes } from "./boxes.ts";
import { createMakeCopyTask } from "./make-copy.server.ts";
import { readBoxes } from "./read-boxes.server.ts";

const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const { store } = await testServer(database, { DATA_DIR: dataDir });
const config = testConfig();
const renderer = renderProcess();
const log = createLog("silent");
afterAll(() => renderer.close());

const rendering = createRenderPagesTask({ config: { dataDir }, store, renderer });
const copying = createMakeCopyTask(store);
const unlimited = { db, config: { ...config, rateLimits: "off" as const } };

type Owner = Actor & { email: string };

/** Uploads a document to a person's draft and renders its pages. */
async function upload(owner: Owner, bytes: Uint8Array, part: "resume" | "portfolio" = "resume") {
  const bucket = `${part}s` as const;
  const isPdf = Buffer.from(bytes.subarray(0, 4)).toString() === "%PDF";
  const path = `${owner.id}/${randomUUID()}.${isPdf ? "pdf" : "png"}`;
  const file = await storedFile(db, owner, bucket, path, isPdf ? "application/pdf" : "image/png");
  const source = join(dataDir, file.id);
  await writeFile(source, bytes);
  await store.put(bucket, path, source);
  const type = part === "resume" ? services.resume_review : services.portfolio_review;
  await changeDraft(db, owner.id, type, { [draftColumns[part].file]: file.id });
  await render(file.id, { [`${part}FilePath`]: path });
  return file;
}

async function render(fileId: string, path: object) {
  await ensurePages(db, { resumeFilePath: null, portfolioFilePath: null, ...path });
  await rendering.run({ fileId }, { db, log });
}

const find = async (owner: Owner) =>
  (await findBlackOut(db, owner, services.resume_review, "resume"))!;

async function request(owner: Owner, boxes: PageBox[], seen?: string) {
  const version = seen ?? (await find(owner)).version;
  await requestCopy(unlimited, owner, services.resume_review, {
    part: "resume",
    boxes,
    shownVersion: version,
  });
}

const draftOf = async (owner: Owner) =>
  (await db.select().from(reviewDrafts).where(eq(reviewDrafts.userId, owner.id)))[0]!;

/** Runs the task for the copy that the draft asks for. @returns its data */
async function makeCopy(owner: Owner) {
  const draft = await draftOf(owner);
  const part = draft.resumeCopy ? ("resume" as const) : ("portfolio" as const);
  const asked = { draftId: draft.id, part, id: draft[draftColumns[part].copy]!.id };
  await copying.run(asked, { db, log });
  return asked;
}

async function getFile(id: string) {
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
  return file!;
}

const readStored = async ({ bucket, path }: typeof storedFiles.$inferSelect) =>
  Buffer.from(await new Response((await store.open(bucket, path))!.stream).arrayBuffer());

const listObjects = async () => {
  const paths = [];
  for await (const { path } of store.list("resumes")) paths.push(path);
  return paths.toSorted();
};

const secret = "Zephyrium";
const box: PageBox = { page: 1, x: 0.1, y: 0.1, width: 0.5, height: 0.1 };

const startOfJpeg = Buffer.from("ffd8", "hex");

/** A page with a secret word on it, and in every place of a PDF that can keep one. */
function secretPdf(): Buffer {
  const { length } = secret;
  const hex = Buffer.from(secret, "utf16le").swap16().toString("hex");
  const font = "/DA (/F1 12 Tf 0 g)";
  return makePdf({
    catalog: `/Metadata 6 0 R /Names << /EmbeddedFiles << /Names [(${secret}.txt) 7 0 R] >> >>
      /AcroForm << /Fields [9 0 R] /DR << /Font << /F1 5 0 R >> >> ${font} >>
      /OCProperties << /OCGs [11 0 R] /D << /OFF [11 0 R] >> >>
      /Outlines << /Title (${secret}) >>`,
    page: `/Annots [9 0 R 10 0 R] /PieceInfo << /A << /Private (${secret}) >> >>`,
    // The word, once more in white, and in a layer that is off.
    content: `BT /F1 24 Tf 70 720 Td (${secret}) Tj ET BT /F1 12 Tf 70 300 Td (Public words) Tj ET
      1 g BT /F1 12 Tf 70 500 Td (${secret}) Tj ET 0 g
      /OC /Layer BDC BT /F1 12 Tf 70 400 Td (${secret}) Tj ET EMC`,
    objects: [
      streamObject(
        Buffer.from(`<x:xmpmeta>${secret}</x:xmpmeta>`),
        "/Type /Metadata /Subtype /XML",
      ),
      `<< /Type /Filespec /F (${secret}.txt) /EF << /F 8 0 R >> >>`,
      streamObject(Buffer.from(`${secret} is ${length} letters`), "/Type /EmbeddedFile"),
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (client) /V <feff${hex}> /F 4 ${font}
        /Rect [80 690 250 710] /P 3 0 R >>`,
      `<< /Type /Annot /Subtype /Text /Contents (${secret}) /Rect [300 690 320 710] /F 4 >>`,
      `<< /Type /OCG /Name (${secret}) >>`,
      `<< /Title (${secret}) /Author (${secret}) >>`,
    ],
    trailer: "/Info 12 0 R",
  });
}

test("nothing that is blacked out is in the copy: no text, metadata, attachment, field or layer", async () => {
  const asha = await person(db, "Asha Verma");
  const original = await upload(asha, secretPdf());
  expect((await readStored(original)).includes(secret)).toBe(true);
  await request(asha, [box]);
  await makeCopy(asha);

  const copy = await getFile((await draftOf(asha)).resumeFileId!);
  expect(copy.id).not.toBe(original.id);
  expect(copy).toMatchObject({ bucket: "resumes", originalName: "resume-blacked-out.pdf" });
  const bytes = await readStored(copy);
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const names = (keys: PDFName[]) => keys.map((key) => key.decodeText()).toSorted();
  expect(names(document.catalog.keys())).toEqual(["Pages", "Type"]);
  expect(document.context.trailerInfo.Info).toBeUndefined();
  const [page] = document.getPages();
  expect(page!.node.Annots()?.size() ?? 0).toBe(0);
  expect(names(page!.node.Resources()!.keys())).not.toContain("Properties");

  const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
  let pictures = 0;
  const texts = objects.map((object) => {
    if (!(object instanceof PDFRawStream)) return object.toString();
    const isPicture = object.dict.get(PDFName.of("Subtype")) === PDFName.of("Image");
    if (isPicture) pictures++;
    return Buffer.from(isPicture ? object.contents : decodePDFRawStream(object).decode());
  });
  const utf16 = Buffer.from(secret, "utf16le");
  for (const encoded of [secret, utf16, Buffer.from(utf16).swap16(), utf16.toString("hex")])
    for (const text of [bytes, ...texts])
      expect(Buffer.from(text).includes(encoded), String(encoded)).toBe(false);
  // The copy shows pictures only.
  expect(pictures).toBe(1);
  const other = texts.filter((text) => !Buffer.from(text.slice(0, 2)).equals(startOfJpeg));
  expect(other.join("")).not.toMatch(/\bTj\b|\/Type \/Font\b|Producer|Creat/);

  const pdfium = await openPdfium();
  const opened = pdfium.open(bytes);
  if (typeof opened === "string") throw new Error(opened);
  expect(opened.openPage(0)!.text()).toMatchObject({ text: "", words: [], links: [] });
  opened.close();
  await render(copy.id, { resumeFilePath: copy.path });
  const pages = { resumeFilePath: copy.path, portfolioFilePath: null };
  expect(await listPageTexts(db, pages, "resume")).toMatchObject([{ number: 1, text: "" }]);
  for (const width of ["large", "small"] as const) {
    const path = getPicturePath({ fileId: copy.id, page: 1, band: 0, width });
    const stream = (await store.open("derived", path))!.stream;
    const picture = sharp(Buffer.from(await new Response(stream).arrayBuffer()));
    const sides = await picture.metadata();
    const measure = async (area: Omit<PageBox, "page">) => {
      const left = Math.ceil(area.x * sides.width);
      const top = Math.ceil(area.y * sides.height);
      const width = Math.floor(area.width * sides.width);
      const height = Math.floor(area.height * sides.height);
      const part = picture.clone().extract({ left, top, width, height }).greyscale();
      // The library measures only what it opens.
      return (await sharp(await part.png().toBuffer()).stats()).channels[0]!;
    };
    expect((await measure(box)).max).toBeLessThan(48);
    // Other words can still be read.
    const { min, max } = await measure({ x: 0.1, y: 0.6, width: 0.4, height: 0.08 });
    expect(min).toBeLessThan(120);
    expect(max).toBeGreaterThan(240);
  }
});

test("a copy is handed in, and its original stays its owner's alone", async () => {
  const asha = await person(db, "Asha Verma");
  const god = await person(db, "Gita Menon", { roles: ["god_admin"] });
  const ravi = await person(db, "Ravi Nair", { roles: ["reviewer"] });
  const original = await upload(asha, makePdf());
  await request(asha, [box]);
  await makeCopy(asha);
  expect(await getDraft(db, asha, services.resume_review)).toMatchObject({
    resume: { name: "resume-blacked-out.pdf", copy: "made" },
  });
  const started = await pay(asha);
  await deliver(asha, started.orderId);
  const [review] = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha.id));
  const [blackOut] = await db
    .select()
    .from(blackOuts)
    .where(eq(blackOuts.originalFileId, original.id));
  const copy = await getFile(blackOut!.copyFileId);
  expect(review!.resumeFilePath).toBe(copy.path);
  expect(await draftOf(asha)).toBeUndefined();
  await db
    .insert(reviewAssignments)
    .values({ reviewId: review!.id, reviewerId: ravi.id, assignedAt: now() });

  const canRead = async (reader: Actor, path: string) =>
    (await findReadableFile(db, reader, "resumes", path)) !== null;
  const readers = [asha, god, ravi];
  const read = (path: string) => Promise.all(readers.map((reader) => canRead(reader, path)));
  expect(await read(copy.path)).toEqual([true, true, true]);
  expect(await read(original.path)).toEqual([true, false, false]);

  const [reading] = await listMachineReadings(db, review!.id);
  expect(reading!.findings).toEqual([
    { isProblem: false, text: expect.stringContaining("The customer blacked out parts") },
  ]);
});

test("no reading of a copy says that it has no text", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, makePdf());
  expect(await listDraftPreviews(db, asha, services.resume_review)).toMatchObject([
    { hasText: true },
  ]);
  await request(asha, [box]);
  await makeCopy(asha);
  const copy = await getFile((await draftOf(asha)).resumeFileId!);
  await render(copy.id, { resumeFilePath: copy.path });
  expect(await listDraftPreviews(db, asha, services.resume_review)).toMatchObject([
    { hasText: false, reading: null, pageCount: 1 },
  ]);
});

test("an image can be blacked out, and a Word file can't", async () => {
  const asha = await person(db, "Asha Verma");
  const white = { create: { width: 2400, height: 900, channels: 3 as const, background: "#fff" } };
  await upload(asha, await sharp(white).png().toBuffer(), "portfolio");
  const step = [services.portfolio_review, "portfolio"] as const;
  const { version, isWhole } = (await findBlackOut(db, asha, ...step))!;
  expect(isWhole).toBe(true);
  await requestCopy(unlimited, asha, step[0], {
    part: step[1],
    boxes: [box],
    shownVersion: version,
  });
  await makeCopy(asha);
  const draft = await draftOf(asha);
  const copy = await getFile(draft.portfolioFileId!);
  expect(copy).toMatchObject({ bucket: "portfolios", mimeType: "application/pdf" });
  const document = await PDFDocument.load(await readStored(copy));
  expect(document.getPage(0).getSize()).toEqual({ width: 1800, height: 675 });

  const word = await storedFile(db, asha, "resumes", `${asha.id}/1.docx`, "application/msword");
  await changeDraft(db, asha.id, services.resume_review, { resumeFileId: word.id });
  expect(await find(asha)).toMatchObject({ isShown: false, isWhole: false });
  await expect(request(asha, [box])).rejects.toThrow(blackOutMessages.notReady);
});

test("pages that aren't all shown can't be blacked out, since the copy would lack them", async () => {
  const asha = await person(db, "Asha Verma");
  const { id } = await upload(asha, makePdf());
  await db.update(renderedFiles).set({ pageCount: 61 }).where(eq(renderedFiles.fileId, id));
  expect(await find(asha)).toMatchObject({ isWhole: false });
  await expect(request(asha, [box])).rejects.toThrow(blackOutMessages.notReady);
});

const typed = { "page-0": "1", "left-0": "10", "top-0": "10.5", "width-0": "50", "height-0": "5" };

test.each<[string, Record<string, string>, string]>([
  ["on a page that doesn't exist", { "page-0": "2" }, blackOutMessages.invalid(1)],
  ["on page 0", { "page-0": "0" }, blackOutMessages.invalid(1)],
  ["on half a page", { "page-0": "1.5" }, blackOutMessages.invalid(1)],
  ["without a number", { "left-0": "NaN" }, blackOutMessages.invalid(1)],
  ["with an endless side", { "width-0": "1e999" }, blackOutMessages.invalid(1)],
  ["beside the page", { "left-0": "120" }, blackOutMessages.invalid(1)],
  ["above the page", { "top-0": "-30", "height-0": "20" }, blackOutMessages.invalid(1)],
  ["without width", { "width-0": "0" }, blackOutMessages.invalid(1)],
  ["with a missing number", { "top-0": "" }, blackOutMessages.invalid(1)],
  ["among 1,000", listManyBoxes(1000), blackOutMessages.tooMany],
])("a box %s is refused", (_name, changed, message) => {
  const read = () => readBoxes({ ...typed, ...changed }, [1]);
  expect(read).toThrow();
  try {
    read();
  } catch (error) {
    expect((error as { fields: object }).fields).toEqual({ boxes: message });
  }
});

function listManyBoxes(count: number): Record<string, string> {
  const rows = Array.from({ length: count }, (_, row) =>
    Object.entries(typed).map(([name, value]) => [name.replace("0", String(row)), value]),
  );
  return Object.fromEntries(rows.flat());
}

test("boxes are cut at the page's edges, and empty ones are left out", () => {
  const boxes = { ...typed, "left-0": "-5", "page-1": "1", "width-1": "", "height-1": "" };
  const read = readBoxes({ ...boxes, "whole-2": "yes", "whole-9": "yes" }, [1, 2]);
  expect(read).toEqual([
    { page: 2, x: 0, y: 0, width: 1, height: 1 },
    { page: 1, x: 0, y: 0.105, width: 0.45, height: 0.05 },
  ]);
  expect(readBoxes(listManyBoxes(maxBoxes), [1])).toHaveLength(maxBoxes);
});

test("a command refuses unknown pages too, and another person's draft is not reached", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  await upload(asha, makePdf());
  const before = await draftOf(asha);
  await expect(request(asha, [{ ...box, page: 7 }])).rejects.toMatchObject({
    fields: { boxes: blackOutMessages.invalid(1) },
  });
  await expect(request(asha, [])).rejects.toMatchObject({
    fields: { boxes: blackOutMessages.none },
  });
  const { version } = await find(asha);
  await expect(request(ravi, [box], version)).rejects.toThrow(blackOutMessages.noFile);
  await expect(restoreOriginal(db, ravi, services.resume_review, "resume")).rejects.toThrow(
    blackOutMessages.noFile,
  );
  expect(await findBlackOut(db, ravi, services.resume_review, "resume")).toBeNull();
  expect(await draftOf(asha)).toEqual(before);
});

test("a second tab can't drop the boxes of the first, and a double press changes nothing", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, makePdf());
  const { version } = await find(asha);
  await request(asha, [box], version);
  const asked = (await draftOf(asha)).resumeCopy;
  await request(asha, [box], version);
  expect((await draftOf(asha)).resumeCopy).toEqual(asked);
  await expect(request(asha, [{ ...box, x: 0.2 }], version)).rejects.toThrow(
    blackOutMessages.changed,
  );
  await makeCopy(asha);
  // The copy belongs to the version that was saved.
  await request(asha, [{ ...box, x: 0.2 }], (await find(asha)).version);
  expect((await draftOf(asha)).resumeCopy).toMatchObject({ boxes: [{ x: 0.2 }] });
});

test("a copy is made once, also when its process was killed or two run at a time", async () => {
  const asha = await person(db, "Asha Verma");
  const original = await upload(asha, makePdf());
  await request(asha, [box]);
  // A process that was killed leaves only its attempt.
  const draft = await draftOf(asha);
  await db
    .update(reviewDrafts)
    .set({ resumeCopy: { ...draft.resumeCopy!, attempts: 1 } })
    .where(eq(reviewDrafts.id, draft.id));
  const before = await listObjects();
  const asked = { draftId: draft.id, part: "resume" as const, id: draft.resumeCopy!.id };
  await Promise.all([copying.run(asked, { db, log }), copying.run(asked, { db, log })]);
  await copying.run(asked, { db, log });
  const made = await db.select().from(blackOuts).where(eq(blackOuts.originalFileId, original.id));
  expect(made).toHaveLength(1);
  expect((await listObjects()).length).toBe(before.length + 1);
});

test("a copy for boxes that changed meanwhile is thrown away", async () => {
  const asha = await person(db, "Asha Verma");
  const original = await upload(asha, makePdf());
  await request(asha, [box]);
  const first = await draftOf(asha);
  await request(asha, [box, { ...box, y: 0.5 }]);
  const asked = { draftId: first.id, part: "resume" as const, id: first.resumeCopy!.id };
  await copying.run(asked, { db, log });
  expect((await draftOf(asha)).resumeFileId).toBe(original.id);
  await makeCopy(asha);
  const { boxes } = await find(asha);
  expect(boxes).toHaveLength(2);
});

test("a copy that can't be made says so, and blocks the payment until it is asked for again", async () => {
  const asha = await person(db, "Asha Verma");
  const original = await upload(asha, makePdf());
  await request(asha, [box]);
  const path = getPicturePath({ fileId: original.id, page: 1, band: 0, width: "large" });
  const picture = (await store.open("derived", path))!;
  const bytes = Buffer.from(await new Response(picture.stream).arrayBuffer());
  await store.delete("derived", path);
  for (let attempt = 1; attempt <= 5; attempt++)
    await expect(makeCopy(asha)).rejects.toThrow("has no picture");
  await makeCopy(asha);
  expect(await find(asha)).toMatchObject({ copy: "failed", problem: blackOutMessages.failed });
  await expect(pay(asha)).rejects.toThrow(findCopyProblem(["failed"])!);

  const source = join(dataDir, randomUUID());
  await writeFile(source, bytes);
  await store.put("derived", path, source);
  await request(asha, [box]);
  await makeCopy(asha);
  expect(await find(asha)).toMatchObject({ copy: "made", problem: null });
});

test("no payment starts while a copy is being made, and a started one keeps its file", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, makePdf());
  await request(asha, [box]);
  await expect(pay(asha)).rejects.toThrow(findCopyProblem(["coming"])!);
  await makeCopy(asha);
  const { version } = await getDraft(db, asha, services.resume_review);
  const first = await getFile((await draftOf(asha)).resumeFileId!);
  const { orderId } = await pay(asha, version);

  // Another tab moves a box after the payment has started.
  await request(asha, [{ ...box, x: 0.3 }]);
  await expect(pay(asha, version)).rejects.toThrow(materialsChanged);
  await makeCopy(asha);
  const second = await getFile((await draftOf(asha)).resumeFileId!);
  await deliver(asha, orderId);
  const reviews = await db.select().from(serviceReviews).where(eq(serviceReviews.userId, asha.id));
  expect(reviews.map(({ resumeFilePath }) => resumeFilePath)).toEqual([first.path]);
  // The draft has other materials now, so it stays.
  expect((await draftOf(asha)).resumeFileId).toBe(second.id);
});

test("the boxes can be taken back, and a new file has none", async () => {
  const asha = await person(db, "Asha Verma");
  const original = await upload(asha, makePdf());
  await request(asha, [box]);
  await makeCopy(asha);
  await restoreOriginal(db, asha, services.resume_review, "resume");
  await restoreOriginal(db, asha, services.resume_review, "resume");
  expect(await find(asha)).toMatchObject({ copy: "none", boxes: [] });
  expect((await draftOf(asha)).resumeFileId).toBe(original.id);

  await request(asha, [box]);
  await request(asha, []);
  expect(await find(asha)).toMatchObject({ copy: "none", boxes: [] });
  await request(asha, [box]);
  await upload(asha, makePdf({ content: "" }));
  expect(await find(asha)).toMatchObject({ copy: "none", boxes: [] });
});

test("a person can ask for 60 copies an hour", async () => {
  stopClock();
  const asha = await person(db, "Asha Verma");
  const press = () =>
    requestCopy({ db, config: { ...config, rateLimits: "on" } }, asha, services.resume_review, {
      part: "resume",
      boxes: [box],
      shownVersion: "",
    });
  for (let count = 0; count < 60; count++)
    await expect(press()).rejects.toThrow(blackOutMessages.noFile);
  await expect(press()).rejects.toMatchObject({ name: "TooMany" });
});

async function pay(buyer: Owner, version?: string) {
  return startReviewPayment(
    db,
    { config, payments: testPayments(config.payu) },
    buyer,
    services.resume_review,
    { phone: null, shownPaise: config.reviewPrices.resume_review, version },
  );
}

async function deliver(buyer: Owner, orderId: string) {
  await db.update(orders).set({ status: "success" }).where(eq(orders.orderId, orderId));
  expect(await db.$count(reviewOrders, eq(reviewOrders.orderId, orderId))).toBe(1);
  await createPaidReview(db, config, {
    orderId,
    buyerId: buyer.id,
    settledAt: now(),
    purpose: { kind: "review" },
  });
}

test("the task has the name that requests queue", () => {
  expect(copying.name).toBe(makeCopyTask.name);
});
