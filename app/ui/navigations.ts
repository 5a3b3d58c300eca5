import type { ClientInstrumentation } from "react-router";

type Navigation = {
  /** Null for a form. */
  to: string | null;
  /** True if it changes something. */
  isPost: boolean;
};

let active: Navigation | null = null;

/** Returns the navigation in progress. The router reports it only with a later render. */
export function getActiveNavigation(): Navigation | null {
  return active;
}

/** Checks whether a navigation is sending a form that changes something. */
export function isPosting(): boolean {
  return active?.isPost ?? false;
}

/** Records the navigation in progress. A pressed link is painted before the router's work starts. */
export const navigations: ClientInstrumentation = {
  router: (router) =>
    router.instrument({
      async navigate(navigate, { to, formMethod }) {
        const own = {
          to: typeof to === "string" && !formMethod ? to : null,
          isPost: formMethod?.toUpperCase() === "POST",
        };
        active = own;
        if (!formMethod) await waitForPaint();
        await navigate();
        if (active === own) active = null;
      },
    }),
};

/** Waits for the next paint. The timeout is for hidden tabs, which aren't painted. */
function waitForPaint(): Promise<void> {
  return new Promise((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 100);
  });
}
