import { afterAll, expect, test } from "vitest";
import sharp from "sharp";
import { buildJobCard } from "../../app/jobs/listing/pages.ts";
import { buildExampleReviewPage } from "../../app/review-customer/example/pages.ts";
import { hashSocialCard, getSocialImagePath } from "../../app/ui/meta.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { removeUndrawable } from "./lay-out.ts";
import { createImageWorker, TooBusy } from "./image-worker.ts";

const worker = createImageWorker("Naksha");
afterAll(() => worker.close());

const job = {
  title: "Type Designer",
  company: "Akshara",
  place: "Pune",
  jobType: "Full-time" as const,
  pay: "₹12 LPA",
  coordinates: ["18.52° N", "73.86° E"] as [string, string],
};

test("an image is a PNG of 1200 by 630", async () => {
  const png = await worker.draw(buildJobCard(job));
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
});

test.each([
  ["a long title", { title: "Principal Designer ".repeat(40) }],
  ["one endless word", { title: "D".repeat(300), company: "C".repeat(300) }],
  ["Hindi", { title: "वरिष्ठ उत्पाद डिज़ाइनर", company: "नक्शा", place: "नई दिल्ली" }],
  ["letters that no font has", { title: "设计师 🎨", company: "株式会社", place: "東京" }],
  ["markup", { title: "<script>&amp;</script>", company: "]]>" }],
])("a card with %s can be drawn", async (_what, change) => {
  const png = await worker.draw(buildJobCard({ ...job, ...change }));
  expect(png.readUInt32BE(16)).toBe(1200);
});

test("a card with a plate shows the example's page", async () => {
  const { card } = buildExampleReviewPage(testConfig().reviewPrices);
  const [plain, withPlate] = await Promise.all(
    [false, true].map(async (hasPlate) =>
      sharp(await worker.draw({ ...card, hasPlate }))
        .extract({ left: 700, top: 160, width: 400, height: 100 })
        .stats(),
    ),
  );
  // The page's pale background is lighter than the card's paper.
  expect(withPlate!.channels[2]!.mean).toBeGreaterThan(plain!.channels[2]!.mean);
  expect(card.hasPlate).toBe(true);
});

test("concurrent requests for the same card draw it once", async () => {
  const card = buildJobCard({ ...job, title: "Asked for often" });
  const [first, ...others] = await Promise.all(
    Array.from({ length: 100 }, () => worker.draw(card)),
  );
  expect(others.every((png) => png === first)).toBe(true);
});

test("too many cards at once are refused and can be requested later", async () => {
  const cards = Array.from({ length: 50 }, (_, n) => buildJobCard({ ...job, title: `No. ${n}` }));
  const drawn = await Promise.allSettled(cards.map((card) => worker.draw(card)));
  const refused = drawn.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every((one) => "reason" in one && one.reason instanceof TooBusy)).toBe(true);
  expect((await worker.draw(cards.at(-1)!)).length).toBeGreaterThan(1000);
});

test("a card that cannot be sent to the thread is refused, and the next one is drawn", async () => {
  const unsendable = { ...buildJobCard({ ...job, title: "Not sent" }), anything: () => {} };
  await expect(worker.draw(unsendable)).rejects.toThrow("could not be cloned");
  expect(
    (await worker.draw(buildJobCard({ ...job, title: "The next one" }))).length,
  ).toBeGreaterThan(1000);
});

test("an image's URL changes with its content", () => {
  const version = hashSocialCard(buildJobCard(job), "Naksha");
  expect(hashSocialCard(buildJobCard({ ...job }), "Naksha")).toBe(version);
  for (const change of [
    { title: "Other" },
    { company: "Other" },
    { place: "Delhi" },
    { jobType: "Internship" as const },
    { pay: null },
    { coordinates: null },
  ])
    expect(hashSocialCard(buildJobCard({ ...job, ...change }), "Naksha")).not.toBe(version);
  expect(hashSocialCard(buildJobCard(job), "Other")).not.toBe(version);
  expect(getSocialImagePath("/", buildJobCard(job), "Naksha")).toBe(
    `/social/home.png?v=${version}`,
  );
});

test("characters that no font has are removed", () => {
  expect(removeUndrawable("Étude ₹12 – “ok” नक्शा क्‍ष")).toBe("Étude ₹12 – “ok” नक्शा क्‍ष");
  expect(removeUndrawable("Art 🎨 director 设计")).toBe("Art director");
  expect(removeUndrawable("e\u0301tude\n\u0000")).toBe("étude");
});
