import { randomUUID } from "node:crypto";
import type { FileStore } from "../../app/files/store.server.ts";
import { storedFiles } from "../../app/files/tables.server.ts";
import { hour } from "../../app/platform/clock.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { reviewDrafts } from "../../app/reviews/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";
import { SampleFiles } from "./sample-files.server.ts";

/** Loads a draft of Asha's with both files, ready to be paid. */
export async function loadDemoDraft(
  tx: Database,
  store: FileStore,
  folder: string,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const userId = ids.get("asha")!;
  const createdAt = new Date(moment.getTime() - hour);
  const files = new SampleFiles(store, folder);
  const from = { uploadedBy: userId, createdAt };
  const resume = await files.storeMaterial("resumes", "resume.pdf", from);
  const portfolio = await files.storeMaterial("portfolios", "portfolio.pdf", from);
  const [resumeFileId, portfolioFileId] = [randomUUID(), randomUUID()];
  await tx.insert(storedFiles).values([
    { ...resume, id: resumeFileId },
    { ...portfolio, id: portfolioFileId },
  ]);
  await tx.insert(reviewDrafts).values({
    userId,
    serviceType: "combined_review",
    resumeFileId,
    portfolioFileId,
    createdAt,
    updatedAt: createdAt,
  });
}
