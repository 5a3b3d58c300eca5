import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { changeCharacter } from "../../../tests/support/requests/tampered.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { people } from "../../../tests/support/rows/people.ts";
import { review, storedFile } from "../../../tests/support/rows/reviews.ts";
import { remarkOn } from "../../../tests/support/rows/marked-reviews.ts";
import { testServer } from "../../../tests/support/product/server.ts";
import { getPicturePath } from "../../files/render/pictures.server.ts";
import { renderProcess } from "../../files/render/render-process.server.ts";
import { day, now } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.server.ts";
import { buildSignedId, uuidLength } from "../../platform/signed-ids.server.ts";
import { ensurePages } from "../document-pages/pages.server.ts";
import { createRenderPagesTask } from "../document-pages/render-pages.server.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import {
  createCopyPagesTask,
  getSharedPicturePath,
  createSharedPictureRoutes,
  sweepShares,
} from "./shared-pages.server.ts";
import {
  buildSharedPath,
  findSharedReview,
  findShareId,
  findSharing,
} from "./find-shares.server.ts";
import type { HiddenArea } from "../hiding/hidden-areas.ts";
import { describeLink, type Shareable, toSharedPageViews } from "./rules.ts";
import { closeShare, createShare, deleteClosedShares } from "./shares.server.ts";
import { headers } from "./shared.screen.tsx";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { reviewShares } from "./tables.server.ts";

const dataDir = ownFolder();
const database = await testDatabase();
const { db } = database;
const { store, config } = await testServer(database, { DATA_DIR: dataDir });
const renderer = renderProcess();
const { asha, ravi } = await people(db);
const log = createLog("silent");
afterAll(() => renderer.close());

/** A resume of two pages, shared by all reviews. */
const resume = await storedFile(db, asha, "resumes");
await store.put("resumes", resume.path, "tests/fixtures/files/resume.pdf");
await ensurePages(db, { resumeFilePath: resume.path, portfolioFilePath: null });
const rendering = createRenderPagesTask({ config: { dataDir }, store, renderer });
await rendering.run({ fileId: resume.id }, { db, log });

/** Creates Asha's completed review of that resume. */
async function reviewWithPages() {
  const { id } = await review(db, asha, {
    resumeFilePath: resume.path,
    status: "completed",
    reviewerFeedback: "Meera, show the outcome first.",
  });
  return { id, fileId: resume.id };
}

async function share(reviewId: string, hidden: HiddenArea[] = [], withFeedback = false) {
  const token = await createShare(db, asha, { reviewId, hidden, withFeedback });
  const shareId = (await findShareId(db, config, token))!;
  await createCopyPagesTask(store).run({ shareId }, { db, log });
  return { token, shareId };
}

function ask(path: string) {
  return createSharedPictureRoutes({ config, db }, store).request(path.replace("/shared", ""));
}

/** Returns the pixels of a picture, one byte each. */
async function greys(bytes: ArrayBuffer | Buffer) {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return (x: number, y: number) =>
    data[(Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels]!;
}

test("hidden areas are redacted in the copies at both widths, and the rest is unchanged", async () => {
  const { id, fileId } = await reviewWithPages();
  const { suggestions: found, pages } = (await findSharing(db, asha, id))!;
  expect(pages).toHaveLength(2);
  expect(found.length).toBeGreaterThan(3);
  const { token } = await share(id, found);
  const [first] = toSharedPageViews(token, (await findSharedReview(db, config, token))!.pages!);
  expect(first!.bands).toHaveLength(1);
  for (const width of ["large", "small"] as const) {
    const answer = await ask(first!.bands[0]![width]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    const copy = await answer.arrayBuffer();
    const { exif, xmp, icc } = await sharp(copy).metadata();
    expect([exif, xmp, icc]).toEqual([undefined, undefined, undefined]);
    const shared = await greys(copy);
    for (const { page, x, y, width: wide, height } of found.filter((area) => area.page === 1)) {
      expect(page).toBe(1);
      for (const across of [0.02, 0.25, 0.5, 0.75, 0.98])
        for (const down of [0.05, 0.5, 0.95])
          expect(shared(x + across * wide, y + down * height)).toBeLessThan(40);
    }
    const original = await store.open(
      "derived",
      getPicturePath({ fileId, page: 1, band: 0, width }),
    );
    const before = await greys(Buffer.from(await new Response(original!.stream).arrayBuffer()));
    const isHidden = (across: number, down: number) =>
      found.some(
        ({ page, x, y, width: wide, height }) =>
          page === 1 &&
          Math.abs(across - x - wide / 2) < wide / 2 + 0.02 &&
          Math.abs(down - y - height / 2) < height / 2 + 0.02,
      );
    let differing = 0;
    for (let down = 0.01; down < 1; down += 0.01)
      for (let across = 0.01; across < 1; across += 0.01)
        if (!isHidden(across, down) && Math.abs(shared(across, down) - before(across, down)) > 60)
          differing++;
    expect(differing).toBeLessThan(20);
  }
});

test("a shared page and its pictures are kept from caches, search engines and other sites", async () => {
  const { id } = await reviewWithPages();
  const { token } = await share(id);
  const [first] = toSharedPageViews(token, (await findSharedReview(db, config, token))!.pages!);
  const picture = await ask(first!.bands[0]!.small);
  for (const answered of [new Headers(headers()), picture.headers]) {
    expect(answered.get("cache-control")).toBe("private, no-store");
    expect(answered.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(answered.get("referrer-policy")).toMatch(/^(same-origin|no-referrer)$/);
  }
});

test("no gap shows between black boxes that touch or nearly touch, at both widths", async () => {
  const { id } = await reviewWithPages();
  const on = { part: "resume", page: 1 } as const;
  const left = { ...on, x: 0.1, y: 0.3, width: 0.2, height: 0.1 };
  const hidden = [
    left,
    { ...on, x: 0.3037, y: 0.28, width: 0.1501, height: 0.1 },
    { ...on, x: 0.4538, y: 0.28, width: 0.1, height: 0.1 },
    { ...on, x: 0.1, y: 0.4023, width: 0.2, height: 0.05 },
    { ...on, x: 0.1, y: 0.4523, width: 0.2, height: 0.05 },
  ];
  const { shareId } = await share(id, hidden);
  for (const width of ["large", "small"] as const) {
    const path = getSharedPicturePath(shareId, `1-0-${width}.webp`);
    const picture = await store.open("derived", path);
    const bytes = Buffer.from(await new Response(picture!.stream).arrayBuffer());
    const { data, info } = await sharp(bytes)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const lightest = (area: { x: number; y: number; width: number; height: number }) => {
      let most = 0;
      for (let y = Math.ceil(area.y * info.height); y < (area.y + area.height) * info.height; y++)
        for (let x = Math.ceil(area.x * info.width); x < (area.x + area.width) * info.width; x++)
          most = Math.max(most, data[(y * info.width + x) * info.channels]!);
      return most;
    };
    expect(lightest({ ...left, width: 0.4537, height: 0.08 }), "beside each other").toBeLessThan(
      40,
    );
    expect(lightest({ ...left, height: 0.2022 }), "below each other").toBeLessThan(40);
  }
});

test("the name and contact details are found at their places", async () => {
  const { id } = await reviewWithPages();
  const { suggestions: found } = (await findSharing(db, { ...asha, fullName: "Meera Iyer" }, id))!;
  const top = found.filter(({ page, y }) => page === 1 && y < 0.2);
  expect(top.length).toBeGreaterThan(4);
  expect(found.every(({ width, height }) => width > 0 && height < 0.1)).toBe(true);
});

const onScreenshot = { part: null, page: null, text: "On a screenshot." };

test("a link shows the scores and remarks of pages, without quotes", async () => {
  const { id } = await reviewWithPages();
  await remarkOn(db, id, ravi, { quote: "Meera Iyer", suggestion: "M. Iyer" });
  await remarkOn(db, id, ravi, onScreenshot);
  const plain = (await findSharedReview(db, config, (await share(id)).token))!;
  expect(plain.remarks.map(({ text }) => text)).toEqual(["Say what came of it."]);
  expect(JSON.stringify(plain)).not.toMatch(/Iyer|outcome|resumes\//);
  const whole = (await findSharedReview(db, config, (await share(id, [], true)).token))!;
  expect(whole.feedback).toBe("Meera, show the outcome first.");
});

test("without remarks on pages, a link shows the pages that are not hidden", async () => {
  const { id } = await reviewWithPages();
  await remarkOn(db, id, ravi, onScreenshot);
  const whole = { part: "resume", page: 1, x: 0, y: 0, width: 1, height: 1 } as const;
  const shared = (await findSharedReview(db, config, (await share(id, [whole])).token))!;
  expect(shared.remarks).toEqual([]);
  expect(shared.visible).toEqual(["resume-2"]);
  const { shareable } = (await findSharing(db, asha, id))!;
  expect(shareable).toEqual({ pages: 2, remarks: 0, hasScores: false, hasFeedback: true });
});

test.each<[Shareable, string]>([
  [
    { pages: 2, remarks: 3, hasScores: true, hasFeedback: true },
    "The link shows the pages with the remarks pinned to them, and the scores.",
  ],
  [
    { pages: 2, remarks: 3, hasScores: false, hasFeedback: false },
    "The link shows the pages with the remarks pinned to them.",
  ],
  [
    { pages: 2, remarks: 0, hasScores: false, hasFeedback: false },
    "This review has no pinned remarks, so the link shows only the pages.",
  ],
  [
    { pages: 2, remarks: 0, hasScores: true, hasFeedback: true },
    "This review has no pinned remarks, so the link shows only the pages and the scores, and the written feedback if you add it.",
  ],
  [
    { pages: 0, remarks: 0, hasScores: true, hasFeedback: false },
    "This review has no pages to show, so the link shows only the scores.",
  ],
  [
    { pages: 0, remarks: 2, hasScores: false, hasFeedback: true },
    "This review has no pages to show, so the link shows only the remarks, and the written feedback if you add it.",
  ],
  [
    { pages: 0, remarks: 0, hasScores: false, hasFeedback: true },
    "This review has no pages to show and no scores, so the link shows nothing unless you add the written feedback.",
  ],
  [
    { pages: 0, remarks: 0, hasScores: false, hasFeedback: false },
    "This review has no pages to show and no scores, so the link shows nothing.",
  ],
])("the form describes the link to a review with %j", (shareable, sentence) => {
  expect(describeLink(shareable)).toBe(sentence);
});

test("a link ends when it is closed, replaced or expired, and with its review", async () => {
  const { id } = await reviewWithPages();
  const first = await share(id);
  const picture = (token: string) => ask(`/shared/${token}/1-0-small.webp`);
  expect((await picture(first.token)).status).toBe(200);
  const second = await share(id);
  expect((await picture(first.token)).status).toBe(404);
  expect(await findSharedReview(db, config, first.token)).toBeNull();
  await closeShare(db, asha, { reviewId: id });
  expect((await picture(second.token)).status).toBe(404);
  const third = await share(id);
  await db
    .update(reviewShares)
    .set({ expiresAt: new Date(now().getTime() - 1) })
    .where(eq(reviewShares.id, third.shareId));
  expect((await picture(third.token)).status).toBe(404);
  expect(await findSharedReview(db, config, third.token)).toBeNull();
  const fourth = await share(id).catch(() => null);
  expect(fourth).not.toBeNull();
  await db.delete(serviceReviews).where(eq(serviceReviews.id, id));
  expect((await picture(fourth!.token)).status).toBe(404);
});

/** The token in a share's second address. */
const secondTokenOf = (shareId: string, settings = config) =>
  buildSharedPath(settings, shareId).slice("/shared/".length);

test("the second address shows the same pages and pictures, and ends with its share", async () => {
  const { id } = await reviewWithPages();
  const { token, shareId } = await share(id);
  const second = secondTokenOf(shareId);
  expect(second).not.toContain(token);
  const shared = await findSharedReview(db, config, second);
  expect(shared).not.toBeNull();
  expect(shared).toEqual(await findSharedReview(db, config, token));
  const [page] = toSharedPageViews(second, shared!.pages!);
  const own = await ask(`/shared/${token}/1-0-small.webp`);
  const picture = await ask(page!.bands[0]!.small);
  expect(picture.status).toBe(200);
  expect(Object.fromEntries(picture.headers)).toEqual(Object.fromEntries(own.headers));
  expect(await picture.arrayBuffer()).toEqual(await own.arrayBuffer());
  await share(id);
  expect(await findSharedReview(db, config, second)).toBeNull();
  expect((await ask(page!.bands[0]!.small)).status).toBe(404);
});

test.each<[string, (share: { id: string; shareId: string }) => Promise<unknown>]>([
  ["is closed", ({ id }) => closeShare(db, asha, { reviewId: id })],
  [
    "expires",
    ({ shareId }) =>
      db
        .update(reviewShares)
        .set({ expiresAt: new Date(now().getTime() - 1) })
        .where(eq(reviewShares.id, shareId)),
  ],
  ["loses its review", ({ id }) => db.delete(serviceReviews).where(eq(serviceReviews.id, id))],
])("the second address ends when its share %s", async (_name, end) => {
  const { id } = await reviewWithPages();
  const { shareId } = await share(id);
  const second = secondTokenOf(shareId);
  expect(await findShareId(db, config, second)).toBe(shareId);
  await end({ id, shareId });
  expect(await findShareId(db, config, second)).toBeNull();
  expect((await ask(`/shared/${second}/1-0-small.webp`)).status).toBe(404);
});

test("the second address needs our signature, for this purpose, with any of our secrets", async () => {
  const { id } = await reviewWithPages();
  const { shareId } = await share(id);
  const second = secondTokenOf(shareId);
  const other = await share((await reviewWithPages()).id);
  const signature = second.slice(uuidLength);
  const rejected = [
    shareId,
    `${other.shareId}${signature}`,
    changeCharacter(second),
    changeCharacter(second, uuidLength + 1),
    second.slice(0, -1),
    `${second}A`,
    buildSignedId(config, "alert-stop", shareId),
    secondTokenOf(shareId, { ...config, secrets: ["a secret that we never had, long enough"] }),
    secondTokenOf(randomUUID()),
  ];
  for (const token of rejected) {
    expect(await findShareId(db, config, token), token).toBeNull();
    expect(await findSharedReview(db, config, token), token).toBeNull();
    expect((await ask(`/shared/${token}/1-0-small.webp`)).status, token).toBe(404);
  }
  const rotated = { ...config, secrets: ["a newer secret of the test", ...config.secrets] };
  expect(await findShareId(db, rotated, second)).toBe(shareId);
  expect(await findShareId(db, config, secondTokenOf(shareId, rotated))).toBeNull();
});

test("copies are deleted with their link, those of an open link stay", async () => {
  const { id } = await reviewWithPages();
  const over = await share(id);
  const open = await share(id);
  await deleteClosedShares(db);
  const path = (shareId: string) => getSharedPicturePath(shareId, "1-0-small.webp");
  expect(await store.stat("derived", path(over.shareId))).not.toBeNull();
  expect(await sweepShares(db, store, new Date(now().getTime() + day))).toBeGreaterThan(3);
  expect(await store.stat("derived", path(over.shareId))).toBeNull();
  expect(await store.stat("derived", path(open.shareId))).not.toBeNull();
});

test("another person's review, or an incomplete one, cannot be shared", async () => {
  const { id } = await reviewWithPages();
  expect(await findSharing(db, ravi, id)).toBeNull();
  await db.update(serviceReviews).set({ status: "under_review" }).where(eq(serviceReviews.id, id));
  expect(await findSharing(db, asha, id)).toBeNull();
});

test("only picture addresses are served", async () => {
  const { id } = await reviewWithPages();
  const { token } = await share(id);
  for (const name of [
    "1-0-huge.webp",
    "..%2f1-0-small.webp",
    "1-0-small.webp.data",
    "9-0-small.webp",
  ])
    expect((await ask(`/shared/${token}/${name}`)).status).toBe(404);
  expect((await ask("/shared/none/1-0-small.webp")).status).toBe(404);
});
