import * as fs from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { storedFiles } from "../app/files/tables.server.ts";
import { readDraft } from "../app/reviews/drafts.server.ts";
import { rateLimits } from "../app/platform/tables.server.ts";
import { reviewDrafts, reviewFiles, reviewImages } from "../app/reviews/tables.server.ts";
import { testDatabase } from "../tests/support/database.ts";
import { people } from "../tests/support/people.ts";
import { assignment, review } from "../tests/support/reviews.ts";
import { testServer } from "../tests/support/server.ts";
import { tusClient } from "../tests/support/tus.ts";

const dataDir = await fs.mkdtemp(join(tmpdir(), "naksha-uploads-"));
afterAll(() => fs.rm(dataDir, { recursive: true, force: true }));

const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: dataDir });
const { asha, ravi, meera, kabir, sonia } = await people(db);
const cookies = { asha: await server.cookieOf(asha), meera: await server.cookieOf(meera) };
const ashaTus = tusClient(server.origin, cookies.asha);
const raviTus = tusClient(server.origin, await server.cookieOf(ravi));
const meeraTus = tusClient(server.origin, cookies.meera);
const soniaTus = tusClient(server.origin, await server.cookieOf(sonia));

const megabyte = 1_048_576;
const pdf = await fs.readFile("tests/fixtures/files/resume.pdf");
const png = await fs.readFile("tests/fixtures/files/poster.png");
const resume = { purpose: "resume", target: "resume_review", name: "Asha Verma.pdf" };
const portfolio = { ...resume, purpose: "portfolio", target: "portfolio_review" };

beforeEach(() => db.delete(rateLimits));

/** A PDF of exactly so many bytes. */
function pdfOf(size: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(size - pdf.length, " ")]);
}

async function partialsOf(person: { id: string }): Promise<string[]> {
  return fs.readdir(join(dataDir, "uploads", person.id)).catch(() => []);
}

async function filesOf(person: { id: string }) {
  return db.select().from(storedFiles).where(eq(storedFiles.uploadedBy, person.id));
}

async function objectCount(): Promise<number> {
  let count = 0;
  for (const bucket of ["resumes", "portfolios", "review-images", "review-files"] as const) {
    for await (const _file of server.store.list(bucket)) count++;
  }
  return count;
}

test("a whole file becomes part of its target, under a path that the server picked", async () => {
  const address = await ashaTus.begin({ ...resume, name: "आशा वर्मा – résumé.pdf" }, pdf.length);
  expect(address).toMatch(/\/uploads\/[0-9a-f-]{36}$/);
  const answer = await ashaTus.send(address, 0, pdf);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Upload-Offset")).toBe(String(pdf.length));
  const told = (await answer.json()) as { id: string };
  expect(told).toMatchObject({ name: "आशा वर्मा – résumé.pdf", size: pdf.length });

  const draft = await readDraft(db, asha, "resume_review");
  expect(draft.resume).toMatchObject({ name: "आशा वर्मा – résumé.pdf", size: pdf.length });
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, told.id));
  expect(file!.path).toMatch(new RegExp(`^${asha.id}/\\d{13}\\.pdf$`));
  expect(file).toMatchObject({
    bucket: "resumes",
    mimeType: "application/pdf",
    uploadedBy: asha.id,
  });
  const kept = await server.store.open("resumes", file!.path);
  expect(Buffer.from(await new Response(kept!.stream).arrayBuffer()).equals(pdf)).toBe(true);
  expect(await partialsOf(asha)).toEqual([]);
});

test("an upload goes on where the connection was lost", async () => {
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
  expect((await readDraft(db, asha, "resume_review")).resume!.size).toBe(bytes.length);
});

test("a connection that hangs lets go when the person comes back on another", async () => {
  const bytes = pdfOf(2 * megabyte);
  const address = await ashaTus.begin(resume, bytes.length);
  const hanging = request(address, {
    method: "PATCH",
    headers: {
      ...ashaTus.headers,
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": 0,
      "Content-Length": bytes.length,
    },
  });
  hanging.on("error", () => {});
  await new Promise((sent) => hanging.write(bytes.subarray(0, megabyte), sent));
  await expect
    .poll(
      async () =>
        (await fs.stat(join(dataDir, "uploads", asha.id, address.split("/").at(-1)!))).size,
    )
    .toBe(megabyte);

  const offset = Number((await ashaTus.head(address)).headers.get("Upload-Offset"));
  expect(offset).toBe(megabyte);
  expect((await ashaTus.send(address, offset, bytes.subarray(offset))).status).toBe(200);
  hanging.destroy();
});

test("another person's upload is not there", async () => {
  const address = await ashaTus.begin(resume, pdf.length);
  expect((await raviTus.head(address)).status).toBe(404);
  expect((await raviTus.send(address, 0, pdf)).status).toBe(404);
  expect((await raviTus.remove(address)).status).toBe(404);
  expect((await ashaTus.head(address)).headers.get("Upload-Offset")).toBe("0");
  expect((await ashaTus.send(address, 0, pdf)).status).toBe(200);
  expect((await raviTus.head(address)).status).toBe(404);
  expect(await filesOf(ravi)).toEqual([]);
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

test("another site's page cannot upload in a person's name", async () => {
  const answer = await ashaTus.declare(resume, pdf.length, { Origin: "https://evil.example" });
  expect(answer.status).toBe(403);
});

test.each([
  {
    limit: 10,
    declared: resume,
    refusal: { title: "File too large", description: "Please upload a file smaller than 10MB" },
  },
  {
    limit: 50,
    declared: portfolio,
    refusal: { title: "File too large", description: "Please upload a file smaller than 50MB" },
  },
])("$limit MB are accepted, one byte more is not", async ({ limit, declared, refusal }) => {
  const bytes = pdfOf(limit * megabyte);
  const address = await raviTus.begin(declared, bytes.length);
  expect((await raviTus.send(address, 0, bytes)).status).toBe(200);

  const refused = await raviTus.declare(declared, bytes.length + 1);
  expect(refused.status).toBe(422);
  expect(refused.headers.get("Content-Type")).toBe("application/json");
  expect(await refused.json()).toEqual(refusal);
});

test("more bytes than were declared are not taken", async () => {
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

test("a file that is not what its name says is refused and removed", async () => {
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

test("a file is attached once, however often its end is sent", async () => {
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

test("what a crash kept from being finished is finished when the browser asks", async () => {
  const address = await ashaTus.begin({ ...resume, name: "after-crash.pdf" }, pdf.length);
  await fs.writeFile(join(dataDir, "uploads", asha.id, address.split("/").at(-1)!), pdf);
  const head = await ashaTus.head(address);
  expect(head.status).toBe(200);
  expect(head.headers.get("Upload-Offset")).toBe(String(pdf.length));
  expect((await readDraft(db, asha, "resume_review")).resume!.name).toBe("after-crash.pdf");
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

test("a file sent together with its declaration is taken as well", async () => {
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
  expect((await readDraft(db, asha, "resume_review")).resume!.name).toBe("one-go.pdf");
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
  ["a length that is told later", { "Upload-Length": "", "Upload-Defer-Length": "1" }],
  ["an upload of several parts", { "Upload-Concat": "partial" }],
  ["metadata that is not base64", { "Upload-Metadata": "name ***" }],
  ["another protocol version", { "Tus-Resumable": "0.2.2" }],
  ["headers without end", { "Upload-Metadata": `name ${"QUFB".repeat(8000)}` }],
])("%s is answered as the browser's mistake", async (_what, headers) => {
  const answer = await ashaTus.declare(resume, 100, headers);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

test("a length that is told later is refused also where no length header is sent", async () => {
  const { headers } = ashaTus;
  const metadata = `purpose ${btoa("resume")},target ${btoa("resume_review")},name ${btoa("a.pdf")}`;
  const answer = await fetch(`${server.origin}/uploads`, {
    method: "POST",
    headers: { ...headers, "Upload-Defer-Length": "1", "Upload-Metadata": metadata },
  });
  expect(answer.status).toBe(400);
});

test("nothing that is still arriving can be read, and other methods are not known", async () => {
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
])("the upload %s is not there", async (id) => {
  expect((await ashaTus.head(`${server.origin}/uploads/${id}`)).status).toBe(404);
  expect((await ashaTus.send(`${server.origin}/uploads/${id}`, 0, pdf)).status).toBe(404);
});

test("one person has ten uploads under way at most", async () => {
  const begun: string[] = [];
  for (let turn = 0; turn < 10; turn++) begun.push(await soniaTus.begin(resume, 100));
  const refused = await soniaTus.declare(resume, 100);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    title: "Upload failed",
    description: "Too many uploads at once. Please let one of them finish first.",
  });
  await soniaTus.remove(begun[0]!);
  expect((await soniaTus.declare(resume, 100)).status).toBe(201);
});

test("one person may begin sixty uploads in an hour", async () => {
  const nowhere = { ...resume, target: "gold_review" };
  for (let turn = 0; turn < 60; turn++)
    expect((await soniaTus.declare(nowhere, 100)).status).toBe(422);
  const limited = await soniaTus.declare(nowhere, 100);
  expect(limited.status).toBe(429);
  expect(await limited.json()).toMatchObject({
    description: expect.stringMatching(/^Too many attempts/),
  });
});

// The plain form

type Part = { name: string; filename?: string; content: Uint8Array | string };

async function sendForm(
  query: Record<string, string>,
  parts: Part[],
  cookie: string | null = cookies.asha,
) {
  const form = new FormData();
  for (const { name, filename, content } of parts) {
    if (filename === undefined) form.append(name, content as string);
    else form.append(name, new Blob([content as Uint8Array<ArrayBuffer>]), filename);
  }
  return fetch(`${server.origin}/uploads/form?${new URLSearchParams(query)}`, {
    method: "POST",
    headers: { Origin: server.origin, ...(cookie && { Cookie: cookie }) },
    body: form,
    redirect: "manual",
  });
}

function toastsOf(answer: Response): unknown {
  const cookie = /toasts=([^;]*)/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1] ?? "";
  return JSON.parse(Buffer.from(cookie, "base64url").toString());
}

const formQuery = {
  purpose: "resume",
  target: "resume_review",
  next: "/services/resume-review?step=resume",
};

test("a plain form uploads a file and goes back with a word", async () => {
  const answer = await sendForm(formQuery, [
    { name: "file", filename: "मेरा काम.pdf", content: pdf },
  ]);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/services/resume-review?step=resume");
  expect(toastsOf(answer)).toEqual([{ kind: "success", title: "File uploaded successfully" }]);
  expect((await readDraft(db, asha, "resume_review")).resume).toMatchObject({
    name: "मेरा काम.pdf",
    size: pdf.length,
  });
  expect(await partialsOf(asha)).toEqual([]);
});

test("a form's note goes with the file, whichever comes first", async () => {
  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, meera);
  const query = { purpose: "review-file", target: work.id, next: `/reviewer/reviews/${work.id}` };
  const file = { name: "file", filename: "notes.txt", content: Buffer.from("notes") };
  await sendForm(query, [file, { name: "note", content: "after" }], cookies.meera);
  await sendForm(query, [{ name: "note", content: "before" }, file], cookies.meera);
  const files = await db
    .select()
    .from(reviewFiles)
    .where(eq(reviewFiles.reviewId, work.id))
    .orderBy(reviewFiles.createdAt);
  expect(files.map((row) => row.description)).toEqual(["after", "before"]);
});

test.each([
  ["https://evil.example/", "/"],
  ["//evil.example/", "/"],
  ["", "/"],
])("a form that wants to go back to %j goes to %s", async (next, where) => {
  const answer = await sendForm({ ...formQuery, next }, [
    { name: "file", filename: "a.pdf", content: pdf },
  ]);
  expect(answer.headers.get("Location")).toBe(where);
});

test.each<[string, Part[], string]>([
  ["without a file", [{ name: "note", content: "hello" }], "Please choose a file first."],
  [
    "with an empty file input",
    [{ name: "file", filename: "", content: Buffer.alloc(0) }],
    "Please choose a file first.",
  ],
  [
    "with two files",
    [
      { name: "file", filename: "a.pdf", content: pdf },
      { name: "file", filename: "b.pdf", content: pdf },
    ],
    "Please choose one file at a time.",
  ],
  [
    "with an empty file",
    [{ name: "file", filename: "a.pdf", content: Buffer.alloc(0) }],
    "Please upload a PDF or Word document. This file is empty.",
  ],
  [
    "with a picture for a resume",
    [{ name: "file", filename: "a.pdf", content: png }],
    "Please upload a PDF or Word document",
  ],
])("a form %s is refused with a word", async (_what, parts, description) => {
  const before = await filesOf(asha);
  const answer = await sendForm(formQuery, parts);
  expect(answer.status).toBe(303);
  expect(toastsOf(answer)).toMatchObject([{ kind: "error", description }]);
  expect(await filesOf(asha)).toHaveLength(before.length);
  expect(await partialsOf(asha)).toEqual([]);
});

test("a form takes 50 MB", async () => {
  const query = { purpose: "portfolio", target: "portfolio_review", next: "/profile" };
  const answer = await sendForm(query, [
    { name: "file", filename: "book.pdf", content: pdfOf(50 * megabyte) },
  ]);
  expect(toastsOf(answer)).toMatchObject([{ kind: "success" }]);
});

test.each([10 * megabyte + 1, 30 * megabyte])(
  "a form with a file of %i bytes gets an answer",
  async (size) => {
    const answer = await sendForm(formQuery, [
      { name: "file", filename: "a.pdf", content: pdfOf(size) },
    ]);
    expect(toastsOf(answer)).toEqual([
      {
        kind: "error",
        title: "File too large",
        description: "Please upload a file smaller than 10MB",
        about: "resume",
      },
    ]);
    expect(await partialsOf(asha)).toEqual([]);
  },
);

test.each([
  ["multipart/form-data", "x"],
  [
    "multipart/form-data; boundary=b",
    "--b\r\nContent-Disposition: form-data; name=file; filename=a.pdf\r\n\r\nhalf",
  ],
  ["multipart/form-data; boundary=b", `--b\r\n${"x".repeat(100_000)}`],
  ["multipart/form-data; boundary=b", ""],
  ["text/plain", "hello"],
])("a form of type %j that cannot be read is refused with a word", async (type, body) => {
  const answer = await fetch(`${server.origin}/uploads/form?${new URLSearchParams(formQuery)}`, {
    method: "POST",
    headers: { Origin: server.origin, Cookie: cookies.asha, "Content-Type": type },
    body,
    redirect: "manual",
  });
  expect(answer.status).toBe(303);
  expect(toastsOf(answer)).toMatchObject([{ kind: "error", title: "Upload failed" }]);
  expect(await partialsOf(asha)).toEqual([]);
});

test("a form whose connection is lost leaves nothing", async () => {
  const sending = request(`${server.origin}/uploads/form?${new URLSearchParams(formQuery)}`, {
    method: "POST",
    headers: {
      Origin: server.origin,
      Cookie: cookies.asha,
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": megabyte,
    },
  });
  sending.on("error", () => {});
  sending.write("--b\r\nContent-Disposition: form-data; name=file; filename=a.pdf\r\n\r\n%PDF-1.4");
  await expect.poll(() => partialsOf(asha)).toHaveLength(1);
  sending.destroy();
  await expect.poll(() => partialsOf(asha)).toHaveLength(0);
});

test("a visitor's form leads to the sign-in", async () => {
  const answer = await sendForm(
    formQuery,
    [{ name: "file", filename: "a.pdf", content: pdf }],
    null,
  );
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe(`/login?next=${encodeURIComponent(formQuery.next)}`);
  expect(toastsOf(answer)).toEqual([
    { kind: "error", title: "Upload failed", description: "No user session found" },
  ]);
});

test("a form for an unknown purpose is refused", async () => {
  expect((await sendForm({ ...formQuery, purpose: "avatar" }, [])).status).toBe(400);
});

test("an upload makes drafts of nobody else", async () => {
  const owners = await db.selectDistinct({ userId: reviewDrafts.userId }).from(reviewDrafts);
  expect(new Set(owners.map((row) => row.userId))).toEqual(new Set([asha.id, ravi.id]));
});
