import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { everybody } from "../../../tests/support/rows/everybody.ts";
import { withPages } from "../../../tests/support/rows/marked-reviews.ts";
import { assignedReview } from "../../../tests/support/rows/review-states.ts";
import { brief } from "../../../tests/support/rows/things.ts";
import { eq } from "drizzle-orm";
import { addBrief } from "../../reviews/brief/brief.server.ts";
import { formatTargetRole } from "../../reviews/brief.ts";
import { serviceReviews } from "../../reviews/tables.server.ts";
import { listCardFacts } from "./card-facts.server.ts";

const { db } = await testDatabase();
const who = everybody(db);

test("a reviewer's cards have the target role, the pages and the first page of their reviews", async () => {
  const id = await assignedReview(db, who.asha, who.meera);
  await addBrief(db, id, brief);
  await withPages(db, id);
  const facts = (await listCardFacts(db, who.meera, [id])).get(id);
  expect(facts).toEqual({
    targetRole: formatTargetRole(brief),
    pageCount: 2,
    cover: {
      address: expect.stringMatching(/^\/pictures\/.*\/1-0-small\.webp$/),
      ratio: 595 / 842,
    },
  });
});

test("a review by link has no pages and no picture, and one without a brief no role", async () => {
  const id = await assignedReview(db, who.asha, who.meera, { type: "portfolio_review" });
  await db
    .update(serviceReviews)
    .set({ portfolioUrl: "https://asha.example.com", portfolioFilePath: null })
    .where(eq(serviceReviews.id, id));
  expect((await listCardFacts(db, who.meera, [id])).get(id)).toEqual({
    targetRole: null,
    pageCount: 0,
    cover: null,
  });
});

test("other reviewers' reviews have no facts", async () => {
  const id = await assignedReview(db, who.asha, who.kabir);
  await withPages(db, id);
  expect(await listCardFacts(db, who.meera, [id])).toEqual(new Map());
});
