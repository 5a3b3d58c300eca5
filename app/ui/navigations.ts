import type { ClientInstrumentation } from "react-router";

type Navigation = {
  /** Null of a form. */
  to: string | null;
  /** Whether it changes something. */
  isPost: boolean;
};

let underWay: Navigation | null = null;

/** The navigation that somebody has begun, from then on: the router tells of it with a later rendering. */
export function getActiveNavigation(): Navigation | null {
  return underWay;
}

/** Whether a form that changes something is under way, by navigating. */
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

/** In a tab that nobody looks at nothing is painted. */
function waitForPaint(): Promise<void> {
  return new Promise((painted) => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 100);
  });
}
