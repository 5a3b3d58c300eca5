import { existsSync } from "node:fs";
import * as fs from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { Unavailable } from "../../platform/errors.ts";
import { noRoom } from "../upload-messages.ts";
import { storedFiles } from "../tables.server.ts";
import { getDraft, removeDraftFile } from "../../review-customer/buy/drafts.server.ts";
import { reviewDrafts, reviewFiles, reviewImages } from "../../reviews/tables.server.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { assignment, review } from "../../../tests/support/rows/reviews.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { hour, second } from "../../platform/clock.ts";
import { tusClient } from "../../../tests/support/requests/tus.ts";
import {
  megabyte,
  pdf,
  pdfOf,
  png,
  uploadServer,
} from "../../../tests/support/requests/uploads.ts";
import { slowCases } from "../../../tests/support/inventory/selection.ts";
import { services } from "../../reviews/rules.ts";

const { db, server, who, cookies, partialAt, partialsOf, filesOf, objectCount } =
  await uploadServer();
const { asha, ravi, meera, kabir } = who;
const ashaTus = tusClient(server.origin, cookies.asha);
const raviTus = tusClient(server.origin, cookies.ravi);
const meeraTus = tusClient(server.origin, cookies.meera);
const soniaTus = tusClient(server.origin, cookies.sonia);

const resume = { purpose: "resume", target: "resume_review", name: "Asha Verma.pdf" };
const portfolio = { ...resume, purpose: "portfolio", target: "portfolio_review" };

test("a complete file is attached under a path chosen by the server", async () => {
  const address = await ashaTus.begin({ ...resume, name: "आशा वर्मा – résumé.pdf" }, pdf.length);
  expect(address).toMatch(/\/uploads\/[0-9a-f-]{36}$/);
  const answer = await ashaTus.send(address, 0, pdf);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Upload-Offset")).toBe(String(pdf.length));
  const result = (await answer.json()) as { id: string };
  expect(result).toMatchObject({ name: "आशा वर्मा – résumé.pdf", size: pdf.length });

  const draft = await getDraft(db, asha, services.resume_review);
  expect(draft.resume).toMatchObject({ name: "आशा वर्मा – résumé.pdf", size: pdf.length });
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, result.id));
  expect(file!.path).toMatch(new RegExp(`^${asha.id}/\\d{13}\\.pdf$`));
  expect(file).toMatchObject({
    bucket: "resumes",
    mimeType: "application/pdf",
    uploadedBy: asha.id,
  });
  const stored = await server.store.open("resumes", file!.path);
  expect(Buffer.from(await new Response(stored!.stream).arrayBuffer()).equals(pdf)).toBe(true);
  expect(await partialsOf(asha)).toEqual([]);
});

test("on a full disk the person gets a message and the upload can resume", async () => {
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const put = vi.spyOn(server.store, "put").mockRejectedValueOnce(full);
  onTestFinished(() => put.mockRestore());
  const address = await ashaTus.begin(resume, pdf.length);
  const answer = await ashaTus.send(address, 0, pdf);
  expect(answer.status).toBe(507);
  expect(await answer.json()).toEqual({ title: "Upload failed", description: noRoom });
  const before = await filesOf(asha);
  expect((await ashaTus.head(address)).status).toBe(200);
  expect(await filesOf(asha)).toHaveLength(before.length + 1);
});

test.runIf(existsSync("/dev/full"))(
  "a disk that fills during a part gets the same answer",
  async () => {
    const bytes = pdfOf(4 * megabyte);
    const address = await ashaTus.begin(resume, bytes.length);
    await fs.rm(partialAt(asha, address));
    await fs.symlink("/dev/full", partialAt(asha, address));
    const answer = await ashaTus.send(address, 0, bytes);
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ description: noRoom });
    await fs.rm(partialAt(asha, address));
  },
);

test.for(["database", "store"] as const)(
  "an upload waits for an unavailable %s at its end",
  async (service) => {
    const away = new Unavailable(service, new Error("refused"));
    const put = vi.spyOn(server.store, "put").mockRejectedValueOnce(away);
    onTestFinished(() => put.mockRestore());
    const address = await ashaTus.begin(resume, pdf.length);
    expect((await ashaTus.send(address, 0, pdf)).status).toBe(503);
    expect((await ashaTus.head(address)).headers.get("Upload-Offset")).toBe(String(pdf.length));
  },
);

test("an upload resumes after a lost connection", async () => {
  const bytes = pdfOf(3 * megabyte);
  const address = await ashaTus.begin(resume, bytes.length);
  expect((await ashaTus.send(address, 0, bytes.subarray(0, megabyte))).status).toBe(204);
  await ashaTus.sendAndLoseConnection(
    address,
    megabyte,
    bytes.subarray(megabyte, 2 * megabyte),
    2 * megabyte,
  );

  const head = await ashaTus.head(address);
  const offset = Number(head.headers.get("Upload-Offset"));
  expect(head.status).toBe(200);
  expect(offset).toBeGreaterThanOrEqual(megabyte);
  expect(offset).toBeLessThanOrEqual(2 * megabyte);
  expect(head.headers.get("Upload-Length")).toBe(String(bytes.length));
  expect((await ashaTus.send(address, 0, bytes)).status).toBe(409);
  expect((await ashaTus.send(address, offset, bytes.subarray(offset))).status).toBe(200);
  expect((await getDraft(db, asha, services.resume_review)).resume!.size).toBe(bytes.length);
});

test("a hanging connection releases the upload to a new one", async () => {
  const bytes = pdfOf(2 * megabyte);
  const address = await ashaTus.begin(resume, bytes.length);
  const part = bytes.subarray(0, megabyte);
  const hanging = await ashaTus.sendAndHang(address, 0, part, bytes.length);
  await expect.poll(async () => (await fs.stat(partialAt(asha, address))).size).toBe(megabyte);

  const offset = Number((await ashaTus.head(address)).headers.get("Upload-Offset"));
  expect(offset).toBe(megabyte);
  expect((await ashaTus.send(address, offset, bytes.subarray(offset))).status).toBe(200);
  hanging.destroy();
});

test("another person's upload is not found", async () => {
  const before = await filesOf(ravi);
  const address = await ashaTus.begin(resume, pdf.length);
  expect((await raviTus.head(address)).status).toBe(404);
  expect((await raviTus.send(address, 0, pdf)).status).toBe(404);
  expect((await raviTus.remove(address)).status).toBe(404);
  expect((await ashaTus.head(address)).headers.get("Upload-Offset")).toBe("0");
  expect((await ashaTus.send(address, 0, pdf)).status).toBe(200);
  expect((await raviTus.head(address)).status).toBe(404);
  expect(await filesOf(ravi)).toEqual(before);
});

test("a visitor cannot upload", async () => {
  const visitor = tusClient(server.origin, null);
  const address = await ashaTus.begin(resume, pdf.length);
  for (const answer of [
    await visitor.declare(resume, pdf.length),
    await visitor.send(address, 0, pdf),
  ]) {
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      title: "Upload failed",
      description: "No user session found",
    });
  }
  expect((await visitor.head(address)).status).toBe(401);
  expect((await ashaTus.remove(address)).status).toBe(204);
  expect((await ashaTus.head(address)).status).toBe(404);
});

test("another site can't upload for a person", async () => {
  const answer = await ashaTus.declare(resume, pdf.length, { Origin: "https://evil.example" });
  expect(answer.status).toBe(403);
});

test.each([
  {
    limit: 10,
    declared: resume,
    refusal: { title: "File too large", description: "Please upload a file smaller than 10MB" },
  },
  // Covered by "10 MB are accepted, but not one byte more".
  ...slowCases([
    {
      limit: 50,
      declared: portfolio,
      refusal: { title: "File too large", description: "Please upload a file smaller than 50MB" },
    },
  ]),
])("$limit MB are accepted, but not one byte more", async ({ limit, declared, refusal }) => {
  const bytes = pdfOf(limit * megabyte);
  const address = await raviTus.begin(declared, bytes.length);
  expect((await raviTus.send(address, 0, bytes)).status).toBe(200);

  const refused = await raviTus.declare(declared, bytes.length + 1);
  expect(refused.status).toBe(422);
  expect(refused.headers.get("Content-Type")).toBe("application/json");
  expect(await refused.json()).toEqual(refusal);
});

test("more bytes than declared are refused", async () => {
  const address = await raviTus.begin(resume, pdf.length);
  expect((await raviTus.send(address, 0, pdfOf(pdf.length + 1))).status).toBe(413);
  const chunked = await fetch(address, {
    method: "PATCH",
    headers: {
      ...raviTus.headers,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": "0",
    },
    body: new Blob([new Uint8Array(pdfOf(megabyte))]).stream(),
    duplex: "half",
  } as RequestInit);
  expect(chunked.status).toBe(413);
  const relabelled = await fetch(address, {
    method: "PATCH",
    headers: {
      ...raviTus.headers,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": "0",
      "Upload-Length": "99",
    },
    body: pdf,
  });
  expect(relabelled.status).toBeGreaterThanOrEqual(400);
  expect(relabelled.status).toBeLessThan(500);
  const offset = Number((await raviTus.head(address)).headers.get("Upload-Offset"));
  expect(offset).toBeLessThanOrEqual(pdf.length);
});

test("a file with a wrong extension is refused and deleted", async () => {
  const before = await objectCount();
  const address = await raviTus.begin(resume, png.length);
  const answer = await raviTus.send(address, 0, png);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    title: "Invalid file type",
    description: "Please upload a PDF or Word document",
  });
  expect((await raviTus.head(address)).status).toBe(404);
  expect(await partialsOf(ravi)).not.toContain(address.split("/").at(-1));
  expect(await objectCount()).toBe(before);
});

test("a file is attached once, even if its end is sent twice", async () => {
  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, meera);
  const shot = {
    purpose: "review-image",
    target: work.id,
    name: "hero.png",
    note: "Tighten the grid",
  };
  const address = await meeraTus.begin(shot, png.length);
  await meeraTus.send(address, 0, png.subarray(0, 100));
  const ends = await Promise.all(
    [1, 2, 3].map(() => meeraTus.send(address, 100, png.subarray(100))),
  );
  expect(ends.map((end) => end.status)).toContain(200);
  for (const end of ends) expect(end.status).toBeLessThan(500);

  const again = await meeraTus.send(address, png.length, Buffer.alloc(0));
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ name: "hero.png", size: png.length });
  const head = await meeraTus.head(address);
  expect(head.headers.get("Upload-Offset")).toBe(String(png.length));
  expect(head.headers.get("Upload-Length")).toBe(String(png.length));

  const images = await db.select().from(reviewImages).where(eq(reviewImages.reviewId, work.id));
  expect(images).toMatchObject([{ annotation: "Tighten the grid" }]);
  expect(await filesOf(meera)).toHaveLength(1);
});

test("a file deleted since its upload can be uploaded again", async () => {
  const address = await ashaTus.begin({ ...resume, name: "twice.pdf" }, pdf.length);
  await ashaTus.send(address, 0, pdf);
  expect((await ashaTus.head(address)).status).toBe(200);
  await removeDraftFile(db, asha, services.resume_review, "resume");
  expect((await ashaTus.head(address)).status).toBe(410);
  // The sender of the last byte still gets the result.
  expect((await ashaTus.send(address, pdf.length, Buffer.alloc(0))).status).toBe(200);

  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, meera);
  const shot = { purpose: "review-image", target: work.id, name: "shot.png", note: "" };
  const image = await meeraTus.begin(shot, png.length);
  await meeraTus.send(image, 0, png);
  expect((await meeraTus.head(image)).status).toBe(200);
  await db.delete(reviewImages).where(eq(reviewImages.reviewId, work.id));
  expect((await meeraTus.head(image)).status).toBe(410);
});

test("an upload interrupted by a crash is finished at the next request", async () => {
  const address = await ashaTus.begin({ ...resume, name: "after-crash.pdf" }, pdf.length);
  await fs.writeFile(partialAt(asha, address), pdf);
  const head = await ashaTus.head(address);
  expect(head.status).toBe(200);
  expect(head.headers.get("Upload-Offset")).toBe(String(pdf.length));
  expect((await getDraft(db, asha, services.resume_review)).resume!.name).toBe("after-crash.pdf");
});

test("a reviewer's file is refused once the review is no longer theirs", async () => {
  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, kabir);
  const before = await objectCount();
  const foreign = await meeraTus.declare(
    { purpose: "review-file", target: work.id, name: "notes.txt" },
    5,
  );
  expect(foreign.status).toBe(422);
  expect(await foreign.json()).toMatchObject({ title: "Failed to upload file" });

  const own = await review(db, asha, { status: "under_review" });
  await assignment(db, own.id, meera);
  const address = await meeraTus.begin(
    { purpose: "review-file", target: own.id, name: "notes.txt" },
    5,
  );
  await db.execute(
    sql`update review_assignments set reviewer_id = ${kabir.id} where review_id = ${own.id}`,
  );
  const answer = await meeraTus.send(address, 0, Buffer.from("notes"));
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ title: "Failed to upload file" });
  expect(await db.select().from(reviewFiles)).toEqual([]);
  expect(await objectCount()).toBe(before);
});

test("a file can be sent together with its declaration", async () => {
  const answer = await fetch(`${server.origin}/uploads`, {
    method: "POST",
    headers: {
      ...ashaTus.headers,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Length": String(pdf.length),
      "Upload-Metadata": `purpose ${btoa("resume")},target ${btoa("resume_review")},name ${btoa("one-go.pdf")}`,
    },
    body: pdf,
  });
  expect(answer.status).toBe(201);
  expect((await getDraft(db, asha, services.resume_review)).resume!.name).toBe("one-go.pdf");
});

test.each([
  ["an unknown purpose", { ...resume, purpose: "avatar" }],
  ["a target that is no service", { ...resume, target: "gold_review" }],
  ["a target with a path", { ...resume, target: "../../etc" }],
  ["a service that takes no such file", { ...resume, target: "portfolio_review" }],
  ["no name", { ...resume, name: " " }],
  ["a name that is only a path", { ...resume, name: "C:\\temp\\" }],
  ["too long a name", { ...resume, name: `${"x".repeat(300)}.pdf` }],
  ["too long a note", { ...resume, note: "x".repeat(2001) }],
])("%s is refused with a reason", async (_what, metadata) => {
  const answer = await ashaTus.declare(metadata, 100);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toEqual({
    title: expect.any(String),
    description: expect.stringMatching(/\w/),
  });
});

test.each([
  ["no length", { "Upload-Length": "" }],
  ["no metadata", { "Upload-Metadata": "" }],
  ["a negative length", { "Upload-Length": "-1" }],
  ["a broken length", { "Upload-Length": "1e3" }],
  ["a length that is result later", { "Upload-Length": "", "Upload-Defer-Length": "1" }],
  ["an upload of several parts", { "Upload-Concat": "partial" }],
  ["metadata that is not base64", { "Upload-Metadata": "name ***" }],
  ["another protocol version", { "Tus-Resumable": "0.2.2" }],
  ["headers without end", { "Upload-Metadata": `name ${"QUFB".repeat(8000)}` }],
])("%s is answered as a client error", async (_what, headers) => {
  const answer = await ashaTus.declare(resume, 100, headers);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

test("a deferred length is refused", async () => {
  const { headers } = ashaTus;
  const metadata = `purpose ${btoa("resume")},target ${btoa("resume_review")},name ${btoa("a.pdf")}`;
  const answer = await fetch(`${server.origin}/uploads`, {
    method: "POST",
    headers: { ...headers, "Upload-Defer-Length": "1", "Upload-Metadata": metadata },
  });
  expect(answer.status).toBe(400);
});

test("an unfinished upload can't be read", async () => {
  const address = await ashaTus.begin(resume, pdf.length);
  for (const method of ["GET", "PUT", "POST"]) {
    const answer = await fetch(address, { method, headers: ashaTus.headers });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("HEAD, PATCH, DELETE, OPTIONS");
  }
  expect((await fetch(`${server.origin}/uploads`, { headers: ashaTus.headers })).status).toBe(405);
  expect((await ashaTus.remove(address)).status).toBe(204);
});

test.each([
  "..%2F..%2Fsecret",
  "%00",
  "not-an-id",
  "a".repeat(36),
  "00000000-0000-4000-8000-000000000000.json",
])("the upload %s is not found", async (id) => {
  expect((await ashaTus.head(`${server.origin}/uploads/${id}`)).status).toBe(404);
  expect((await ashaTus.send(`${server.origin}/uploads/${id}`, 0, pdf)).status).toBe(404);
});

test("a person can have ten uploads in progress", async () => {
  const started: string[] = [];
  for (let turn = 0; turn < 10; turn++) started.push(await soniaTus.begin(resume, 100));
  const refused = await soniaTus.declare(resume, 100);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(await refused.json()).toEqual({
    title: "Upload failed",
    description: "Too many uploads at once. Please wait for one to finish.",
  });
  await soniaTus.remove(started[0]!);
  expect((await soniaTus.declare(resume, 100)).status).toBe(201);
});

test("a person can start sixty uploads an hour", async () => {
  stopClock();
  const nowhere = { ...resume, target: "gold_review" };
  for (let turn = 0; turn < 60; turn++)
    expect((await soniaTus.declare(nowhere, 100)).status).toBe(422);
  const limited = await soniaTus.declare(nowhere, 100);
  expect(limited.status).toBe(429);
  const seconds = Number(limited.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(hour / second);
  expect(await limited.json()).toMatchObject({
    description: expect.stringMatching(/^Too many attempts/),
  });
});

test("an upload creates drafts only for its uploader", async () => {
  const listOwners = async () =>
    (await db.selectDistinct({ id: reviewDrafts.userId }).from(reviewDrafts)).map(({ id }) => id);
  const before = await listOwners();
  const nina = await person(db, "Nina Rao");
  const tus = tusClient(server.origin, await server.cookieOf(nina));
  const address = await tus.begin(resume, pdf.length);
  expect((await tus.send(address, 0, pdf)).status).toBe(200);
  expect(new Set(await listOwners())).toEqual(new Set([...before, nina.id]));
});
