import type { RouterContextProvider } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { findMissingNotice } from "../accounts/consents/consents.server.ts";
import { noticeVersion } from "../accounts/consents/notice.ts";
import { formatNoticeVersion } from "../accounts/consents/rules.ts";
import { appContext } from "../platform/app-context.server.ts";
import { withFallback } from "../platform/forms.server.ts";

export type NoticeBannerView = { isFirst: boolean; needsTerms: boolean; date: string };

/** Loads the banner for people who have not accepted the current notice; null for others, and if the query fails. */
export async function loadNoticeBanner(
  context: Readonly<RouterContextProvider>,
): Promise<NoticeBannerView | null> {
  const actor = context.get(currentActor);
  if (!actor) return null;
  const { db } = context.get(appContext);
  const missing = await withFallback(context, () => findMissingNotice(db, actor), null);
  return missing && { ...missing, date: formatNoticeVersion(noticeVersion) };
}
