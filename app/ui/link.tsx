import type { ComponentProps, ReactNode } from "react";
import { Link as RouterLink, useLocation } from "react-router";
import type { OwnAddress } from "../platform/own-path.ts";

type LinkProps = Omit<
  ComponentProps<typeof RouterLink>,
  "defaultShouldRevalidate" | "discover" | "mask" | "relative" | "to"
> &
  // The browser opens the others, which may lead anywhere.
  (
    | { to: OwnAddress | `mailto:${string}` }
    | ({ to: string } & ({ target: "_blank" } | { reloadDocument: true }))
  );

/**
 * The router's link. The router prepares each link for a press and resolves its address twice, which took a tenth of
 * a list's rendering time. The server writes the anchor directly instead.
 */
export const Link: (props: LinkProps) => ReactNode = import.meta.env.SSR ? StaticLink : RouterLink;

/** Matches an own path, a query, or both, which don't need to be resolved. */
const resolved = /^(?=.)(?:\/|(?:\/[\w-]+)+)?(?:\?[^#]+)?$/;

/** Removes the router's props from the element. */
const routerProps = {
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
  if (!resolved.test(to) || prefetch === "render") return <RouterLink {...props} />;
  const href = to.startsWith("?") ? pathname + to : to;
  return (
    <a {...rest} {...routerProps} href={href} target={target} data-discover="true">
      {children}
    </a>
  );
}
