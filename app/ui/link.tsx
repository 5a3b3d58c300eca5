import type { ComponentProps, ReactNode } from "react";
import { Link as RouterLink, useLocation } from "react-router";

type LinkProps = Omit<
  ComponentProps<typeof RouterLink>,
  "defaultShouldRevalidate" | "discover" | "mask" | "relative"
>;

/**
 * The router's link. For each of them the router gets ready for a press and resolves its address twice, which took a
 * tenth of a list's page; on the server nobody presses it, and what the router would write is written at once.
 */
export const Link: (props: LinkProps) => ReactNode = import.meta.env.SSR ? StaticLink : RouterLink;

/** A path of ours, a query at the address that is shown, or both: nothing in it has to be resolved. */
const resolved = /^(?=.)(?:\/|(?:\/[\w-]+)+)?(?:\?[^#]+)?$/;

/** What is said to the router, and stands in no element. */
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
