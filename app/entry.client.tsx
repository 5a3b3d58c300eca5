import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { leavingCookie } from "./accounts/sign-in/leaving-cookie.ts";
import { readCookie } from "./platform/cookies.ts";
import type { OwnPath } from "./platform/own-path.ts";
import { retryFailedReads } from "./ui/router/failed-reads.ts";
import { navigations, getActiveNavigation } from "./ui/navigations.ts";

if (!document.documentElement) throw new Error("Root element not found");

retryFailedReads({
  unread: getLoadFailureTitle,
  navigation: getActiveNavigation,
  isLeaving: () => readCookie(leavingCookie, document.cookie, location) !== null,
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter instrumentations={[navigations]} />
    </StrictMode>,
  );
});

// In development, an old cached page would replace the new one.
if (import.meta.env.PROD)
  void navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

/** The message while a screen can't be loaded, by path prefix. The longest match counts. */
const titles: Record<string, string> = {
  "/": "We can't reach the server",
  "/jobs": "Failed to load jobs",
  "/jobs/": "Failed to load job details",
  "/subscription": "Failed to load subscription status",
  "/profile": "Failed to load user data",
  "/service-review": "Failed to load review details",
  "/job-board": "Failed to load job listings",
  "/reviewer": "Failed to load review assignments",
  "/reviewer/submission": "Failed to load review",
  "/admin/users": "Failed to fetch users",
  "/admin/reviews": "Failed to load pending reviews",
  "/admin/reviews/assigned": "Failed to load assigned reviews",
  "/admin/reviews/completed": "Failed to load completed reviews",
  "/admin/jobs": "Failed to load job listings",
  "/admin/history": "Failed to load the audit log",
} satisfies Partial<Record<OwnPath, string>>;

function getLoadFailureTitle(path: string): string {
  const prefixes = Object.keys(titles).filter((prefix) => path.startsWith(prefix));
  return titles[prefixes.at(-1) ?? "/"]!;
}
