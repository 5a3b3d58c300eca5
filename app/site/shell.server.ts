import type { RouterContextProvider } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { getDashboardLink } from "../accounts/roles.ts";
import { now, formatYear } from "../platform/clock.ts";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import type { Product } from "../platform/config.server.ts";
import { consumeToasts } from "../platform/toasts.server.ts";
import demoStyles from "./demo-bar.css?inline";
import { readTheme } from "./theme.ts";

export type Shell = ReturnType<typeof getShell>;

/**
 * Returns the data of the frame around every screen: the signed-in person, waiting toasts, the theme and the product.
 */
export function getShell(request: Request, context: Readonly<RouterContextProvider>) {
  const { config } = context.get(appContext);
  const actor = context.get(currentActor);
  const facts = context.get(requestFacts);
  return {
    product: getShownDetails(config.product),
    origin: config.origin,
    /** Undefined if the signed-in person is unknown. */
    dashboard: facts.unavailable ? undefined : actor && getDashboardLink(actor, actor.fullName),
    person: actor?.id,
    toasts: consumeToasts(context),
    theme: readTheme(request.headers.get("cookie"), config),
    requestId: facts.id,
    year: formatYear(now()),
    /** The styles of the demo's bar; null in the real product. */
    demoStyles: config.mode === "demo" ? demoStyles : null,
    actingAs: config.mode === "demo" ? (actor?.email ?? null) : null,
  };
}

/** Returns only the details that the frame shows, since they are part of every page. */
function getShownDetails({ name, supportPhone, supportEmail, socialProfiles, officer }: Product) {
  return { name, supportPhone, supportEmail, socialProfiles, officer: officer.name };
}
