import { noticeVersion } from "../accounts/consents/notice.ts";
import type { PublicPage } from "../ui/meta.ts";

export const noticePage: PublicPage = {
  path: "/privacy/notice",
  title: "Privacy Notice",
  description: "Each kind of data we store: why, for how long, who sees it, and how to withdraw.",
  card: {
    eyebrow: "The small print",
    headline: "Privacy Notice",
    facts: ["What we store", "For how long", "How to withdraw"],
  },
  // The sitemap takes a date, without the number of a second text on that day.
  dated: noticeVersion.slice(0, 10),
};
