import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import type { ClientInstrumentation } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { leavingCookie } from "./accounts/rules.ts";
import { unreadTitle } from "./site/unread.ts";
import { insistOnAnswers } from "./ui/answers.ts";

if (!document.documentElement) throw new Error("Root element not found");

let navigation: { to: string | null } | null = null;
insistOnAnswers({
  unread: unreadTitle,
  navigation: () => navigation,
  isLeaving: () => document.cookie.includes(`${leavingCookie}=`),
});

/** Remembers the navigation that is under way. */
const navigations: ClientInstrumentation = {
  router: (router) =>
    router.instrument({
      async navigate(navigate, { to, formMethod }) {
        const own = { to: typeof to === "string" && !formMethod ? to : null };
        navigation = own;
        await navigate();
        if (navigation === own) navigation = null;
      },
    }),
};

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter instrumentations={[navigations]} />
    </StrictMode>,
  );
});

// Where the sources are served as they are, an old page would stand in for the new one.
if (import.meta.env.PROD)
  void navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
