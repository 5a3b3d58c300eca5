import { request } from "node:http";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { readCarriedToasts } from "../../platform/toasts.server.ts";
import { getDraft } from "../../review-customer/buy/drafts.server.ts";
import { reviewFiles } from "../../reviews/tables.server.ts";
import { assignment, review } from "../../../tests/support/rows/reviews.ts";
import {
  megabyte,
  pdf,
  pdfOf,
  png,
  uploadServer,
} from "../../../tests/support/requests/uploads.ts";
import { services } from "../../reviews/rules.ts";

const { db, server, who, cookies, partialsOf, filesOf } = await uploadServer();
const { asha, meera } = who;

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
  const cookie = /toasts=([^;]*)/.exec(answer.headers.get("Set-Cookie") ?? "")?.[1];
  return readCarriedToasts(cookie).map(({ id: _id, ...toast }) => toast);
}

const formQuery = {
  purpose: "resume",
  target: "resume_review",
  next: "/services/resume-review?step=resume",
};

test("a plain form uploads a file and returns with a message", async () => {
  const answer = await sendForm(formQuery, [
    { name: "file", filename: "मेरा काम.pdf", content: pdf },
  ]);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/services/resume-review?step=resume");
  expect(toastsOf(answer)).toEqual([{ kind: "success", title: "File uploaded successfully" }]);
  expect((await getDraft(db, asha, services.resume_review)).resume).toMatchObject({
    name: "मेरा काम.pdf",
    size: pdf.length,
  });
  expect(await partialsOf(asha)).toEqual([]);
});

test("a form's note is stored with the file", async () => {
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
])("a form with next %j redirects to %s", async (next, where) => {
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
])("a form %s is refused with a message", async (_what, parts, description) => {
  const before = await filesOf(asha);
  const answer = await sendForm(formQuery, parts);
  expect(answer.status).toBe(303);
  expect(toastsOf(answer)).toMatchObject([{ kind: "error", description }]);
  expect(await filesOf(asha)).toHaveLength(before.length);
  expect(await partialsOf(asha)).toEqual([]);
});

// Covered by "app/files/receive/uploads.test.ts: 10 MB are accepted, but not one byte more".
test("a form takes 50 MB @slow", async () => {
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
])("an unreadable form of type %j is refused with a message", async (type, body) => {
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

test("a visitor's form redirects to the login", async () => {
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
