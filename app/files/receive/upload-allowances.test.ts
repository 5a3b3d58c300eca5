import { beforeEach, expect, test } from "vitest";
import { type UploadAllowance, uploadedTooMuch, uploadRules } from "../rules.ts";
import { storedFiles } from "../tables.server.ts";
import { day, now } from "../../platform/clock.ts";
import { rateLimits } from "../../platform/tables.server.ts";
import { reviewImages } from "../../reviews/tables.server.ts";
import { assignment, review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { stopClock } from "../../../tests/support/product/stop-clock.ts";
import { toastsOf, visitor } from "../../../tests/support/requests/visitor.ts";
import { tusClient } from "../../../tests/support/requests/tus.ts";
import {
  megabyte,
  pdf,
  pdfOf,
  png,
  uploadServer,
} from "../../../tests/support/requests/uploads.ts";

const { db, server, who, cookies, partialsOf, filesOf } = await uploadServer();
const { asha, ravi, meera } = who;
const ashaTus = tusClient(server.origin, cookies.asha);
const meeraTus = tusClient(server.origin, cookies.meera);
const customers: UploadAllowance = uploadRules.resume.allowance;

const resume = { purpose: "resume", target: "resume_review", name: "Asha Verma.pdf" };
const portfolio = { purpose: "portfolio", target: "portfolio_review", name: "Work.pdf" };
const tooMuch = { title: "Upload failed", description: uploadedTooMuch.held };

beforeEach(async () => {
  await db.delete(storedFiles);
  // Uploads that another test began count too.
  for (const id of await partialsOf(asha)) await ashaTus.remove(`${server.origin}/uploads/${id}`);
});

/** Records files of a person with this total size. */
async function hold(person: { id: string }, count: number, bytes: number) {
  const at = { bucket: "portfolios", mimeType: "application/pdf", createdAt: now() } as const;
  const rows = Array.from({ length: count }, (_, index) => ({
    ...at,
    path: `${person.id}/${index}.pdf`,
    uploadedBy: person.id,
    originalName: "Work.pdf",
    size: Math.floor(bytes / count),
  }));
  await db.insert(storedFiles).values(rows);
}

test("an account has a limit of unpaid files", async () => {
  await hold(asha, customers.heldFiles - 1, 1000);
  const address = await ashaTus.begin(resume, pdf.length);
  expect((await ashaTus.send(address, 0, pdf)).status).toBe(200);
  const refused = await ashaTus.declare(resume, pdf.length);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toEqual(tooMuch);
});

test("an account has a limit of unpaid bytes, including uploads in progress", async () => {
  const left = 60 * megabyte;
  await hold(asha, 1, customers.heldBytes - left);
  const arriving = await ashaTus.begin(portfolio, 50 * megabyte);
  const refused = await ashaTus.declare(portfolio, 10 * megabyte + 1);
  expect(await refused.json()).toEqual(tooMuch);
  expect((await ashaTus.declare(portfolio, 10 * megabyte)).status).toBe(201);
  await ashaTus.remove(arriving);
  expect((await ashaTus.declare(portfolio, 50 * megabyte)).status).toBe(201);
});

test("two concurrent uploads can't exceed the limit together", async () => {
  const size = 2 * megabyte;
  await hold(ravi, 1, customers.heldBytes - 3 * megabyte);
  const { sendFile } = visitor(server.origin, cookies.ravi);
  const send = () => sendFile("resume", resume.target, "Asha.pdf", pdfOf(size));
  const messages = (await Promise.all([send(), send()])).map(
    (answer) => toastsOf(answer)[0]?.description,
  );
  expect(messages.filter((description) => description === uploadedTooMuch.held)).toHaveLength(1);
  expect((await filesOf(ravi)).filter((file) => file.size === size)).toHaveLength(1);
});

test("files of paid reviews don't count", async () => {
  const paid = await storedFile(db, asha, "portfolios");
  await db.update(storedFiles).set({ size: customers.heldBytes });
  expect((await ashaTus.declare(resume, pdf.length)).status).toBe(422);
  await review(db, asha, { portfolioFilePath: paid.path });
  expect((await ashaTus.declare(resume, pdf.length)).status).toBe(201);
});

test("staff have a higher limit, and attached files don't count", async () => {
  const work = await review(db, asha, { status: "under_review" });
  await assignment(db, work.id, meera);
  await hold(meera, customers.heldFiles, customers.heldBytes);
  const shot = { purpose: "review-image", target: work.id, name: "hero.png" };
  expect((await meeraTus.declare(shot, png.length)).status).toBe(201);

  const { heldFiles } = uploadRules["review-image"].allowance;
  await db.delete(storedFiles);
  const attached = Array.from({ length: heldFiles }, (_, index) => ({
    bucket: "review-images" as const,
    path: `reviews/${work.id}/${index}.png`,
    uploadedBy: meera.id,
    originalName: "hero.png",
    mimeType: "image/png",
    size: 1,
    createdAt: now(),
  }));
  await db.insert(storedFiles).values(attached);
  expect(await (await meeraTus.declare(shot, png.length)).json()).toEqual({
    title: "Failed to upload image",
    description: uploadedTooMuch.held,
  });
  await db.insert(reviewImages).values(
    attached.map(({ bucket, path }) => ({
      reviewId: work.id,
      imageUrl: `${bucket}/${path}`,
      createdAt: now(),
    })),
  );
  expect((await meeraTus.declare(shot, png.length)).status).toBe(201);
});

test("an account has a daily limit of uploads", async () => {
  stopClock();
  const windowStart = new Date(now().getTime() - (now().getTime() % day));
  await db
    .insert(rateLimits)
    .values({ key: `upload-day:${asha.id}`, windowStart, count: customers.perDay - 1 });
  expect((await ashaTus.declare(resume, pdf.length)).status).toBe(201);
  const refused = await ashaTus.declare(resume, pdf.length);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({
    title: "Upload failed",
    description: uploadedTooMuch.today,
  });
});
