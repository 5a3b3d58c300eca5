import { recordConsent } from "../../app/accounts/consents/consents.server.ts";
import { findOpenJobs } from "../../app/jobs/find.server.ts";
import { createMail } from "../../app/mail/deliver-mail.server.ts";
import { day, second } from "../../app/platform/clock.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { buildDigestMail, buildDigestSection } from "../../app/seekers/alerts/digest.server.tsx";
import { createNewJobSearch } from "../../app/seekers/alerts/find-new-jobs.server.ts";
import { commitMargin, getWindowEnd } from "../../app/seekers/alerts/rules.ts";
import { alerts } from "../../app/seekers/alerts/tables.server.ts";
import type { DemoIds } from "./reviews.server.ts";

const email = "asha@example.com";
const daily = "discipline=product&discipline=ux";
const weekly = "mode=remote&place=bengaluru";

/** Loads two alerts of Asha, and the last email that she got about the daily one. */
export async function loadDemoAlerts(
  tx: Database,
  config: Pick<Config, "origin" | "product" | "secrets">,
  ids: DemoIds,
  moment: Date,
): Promise<void> {
  const userId = ids.get("asha")!;
  await recordConsent(tx, { userId }, { purpose: "alerts", how: "alert" });
  const createdAt = new Date(moment.getTime() - 20 * day);
  const started = { email, userId, state: "active", createdAt, confirmedAt: createdAt } as const;
  const [first] = await tx
    .insert(alerts)
    .values([
      {
        ...started,
        query: daily,
        frequency: "daily",
        sentUntil: getWindowEnd("daily", moment),
      },
      {
        ...started,
        query: weekly,
        frequency: "weekly",
        sentUntil: getWindowEnd("weekly", moment),
      },
    ])
    .returning();
  const end = getWindowEnd("daily", moment);
  const matches = await createNewJobSearch()(tx, daily, { from: createdAt, until: end });
  const jobs = await findOpenJobs(
    tx,
    matches.slice(0, 3).map(({ id }) => id),
  );
  if (jobs.length === 0) return;
  const section = buildDigestSection(config, first!, { jobs, count: jobs.length });
  const sentAt = new Date(end.getTime() + commitMargin + 2 * second);
  const mail = buildDigestMail(config, email, { sections: [section], end });
  await createMail(tx, mail, { createdAt: new Date(sentAt.getTime() - 2 * second), sentAt });
}
