import type { ClientInstrumentation } from "react-router";

type Navigation = {
  /** Null of a form. */
  to: string | null;
  /** True when it changes something. */
  isPost: boolean;
};

let underWay: Navigation | null = null;

/** Returns the navigation that has started. The router reports it only with a later render. */
export function getActiveNavigation(): Navigation | null {
  return underWay;
}

/** Checks whether a form that changes something is being sent by navigating. */
export function isPosting(): boolean {
  return underWay?.isPost ?? false;
}

/** Remembers the navigation that is under way. A link that is pressed is painted so before the work begins. */
export const navigations: ClientInstrumentation = {
  router: (router) =>
    router.instrument({
      async navigate(navigate, { to, formMethod }) {
        const own = {
          to: typeof to === "string" && !formMethod ? to : null,
          isPost: formMethod?.toUpperCase() === "POST",
        };
        underWay = own;
        if (!formMethod) await waitForPaint();
        await navigate();
        if (underWay === own) underWay = null;
      },
    }),
};

/** A hidden tab is not painted, so it does not wait. */
function waitForPaint(): Promise<void> {
  return new Promise((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 100);
  });
}
