import { and, eq, isNotNull } from "drizzle-orm";
import { isActionable } from "../../app/annotations/marked.ts";
import { listRemarks } from "../../app/annotations/remarks/remarks.server.ts";
import { getScores } from "../../app/annotations/remarks/scores.server.ts";
import type { Outcome } from "../../app/annotations/second-look/outcomes.ts";
import { remarkOutcomes, reviewScores } from "../../app/annotations/tables.server.ts";
import { day } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { serviceReviews } from "../../app/reviews/tables.server.ts";
import { demoResults } from "./remarks.ts";

/** The outcomes of the remarks that aren't solved, by the names of their elements. The others are solved. */
const unsolved: Record<string, [Exclude<Outcome, "solved">, string]> = {
  ration: ["open", "The projects still start on page two."],
  coursework: ["open", "The three lines are still there. One is enough."],
  receipts: ["partly", "Your role is clear now. The result is still missing."],
  meters: ["partly", "Accessibility is up to date. The bars still look like measurements."],
  role: ["open", "“With two others” still hides your part."],
  ending: ["partly", "Your address is there now, but nobody can click it."],
};

/** The scores below this are better the second time. */
const goodScore = 4;

/** Adds the outcomes and the scores of the completed second look. Does nothing if none was sold. */
export async function loadDemoOutcomes(tx: Database, moment: Date): Promise<void> {
  const [look] = await tx
    .select({ reviewId: serviceReviews.id, earlierId: serviceReviews.secondLookOf })
    .from(serviceReviews)
    .where(and(isNotNull(serviceReviews.secondLookOf), eq(serviceReviews.status, "completed")));
  if (!look?.earlierId) return;
  const { reviewId, earlierId } = look;
  const updatedAt = new Date(moment.getTime() - 6 * day);
  const elements = new Map(
    demoResults.combined_review.remarks.map(({ text, at }) => [text, at] as const),
  );
  const outcomes = (await listRemarks(tx, earlierId))
    .filter(isActionable)
    .map(({ id: remarkId, text, target, area }): typeof remarkOutcomes.$inferInsert => {
      const [outcome, note] = unsolved[elements.get(text) ?? ""] ?? ["solved" as const, null];
      // An unsolved remark stays at its place.
      const place =
        note && target?.kind === "page" ? { part: target.part, page: target.page, ...area } : {};
      return { reviewId, remarkId, outcome, note, ...place, updatedAt };
    });
  await tx.insert(remarkOutcomes).values(outcomes);
  const scores = Object.entries(await getScores(tx, earlierId));
  await tx.insert(reviewScores).values(
    scores.map(([criterion, score]) => ({
      reviewId,
      criterion,
      score: score < goodScore ? score + 1 : score,
      updatedAt,
    })),
  );
}
