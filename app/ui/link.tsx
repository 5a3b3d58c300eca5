import type { ComponentProps, ReactNode } from "react";
import { Link as RouterLink, useLocation } from "react-router";

type LinkProps = Omit<
  ComponentProps<typeof RouterLink>,
  "defaultShouldRevalidate" | "discover" | "mask" | "relative"
>;

/**
 * The router's link. The router prepares each one for a press and resolves its address twice, which took a
 * tenth of the time of a list's page. On the server nobody presses it, so it is written directly.
 */
export const Link: (props: LinkProps) => ReactNode = import.meta.env.SSR ? StaticLink : RouterLink;

/** A path of ours, a query at the address that is shown, or both: nothing in it has to be resolved. */
const resolved = /^(?=.)(?:\/|(?:\/[\w-]+)+)?(?:\?[^#]+)?$/;

/** Props for the router that no element gets. */
const routersOwn = {
  to: undefined,
  prefetch: undefined,
  preventScrollReset: undefined,
  reloadDocument: undefined,
  replace: undefined,
  state: undefined,
  viewTransition: undefined,
};

function StaticLink(props: LinkProps) {
  const { pathname } = useLocation();
  const { target, ...rest } = props;
  const { to, prefetch, children } = rest;
  if (typeof to !== "string" || !resolved.test(to) || prefetch === "render")
    return <RouterLink {...props} />;
  const href = to.startsWith("?") ? pathname + to : to;
  return (
    <a {...rest} {...routersOwn} href={href} target={target} data-discover="true">
      {children}
    </a>
  );
}
