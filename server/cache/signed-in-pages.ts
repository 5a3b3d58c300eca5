import { randomBytes, randomUUID } from "node:crypto";
import type { Context, Handler } from "hono";
import { renderToStaticMarkup } from "react-dom/server";
import type { Actor } from "../../app/accounts/actor.server.ts";
import { getDashboardLink } from "../../app/accounts/roles.ts";
import type { RequestFacts } from "../../app/platform/app-context.server.ts";
import { minute } from "../../app/platform/clock.ts";
import type { Config } from "../../app/platform/config.server.ts";
import { getCookieName } from "../../app/platform/cookies.ts";
import { toScriptLiteral, buildPageResponse } from "../../app/ui/router/rendered-page.server.ts";
import { readTheme, themeCookie } from "../../app/site/theme.ts";
import { hasOneTimeContent } from "../http/prefetches.ts";
import type { PublicScreens } from "./public-screens.ts";
import type { Env, RenderScreen } from "../http/request.ts";
import type { ChangeCache } from "./change-cache.ts";

const lifetime = minute;
const maxPages = 120;

/** The values in a response that belong to one person and request. */
type Personal = {
  requestId: string;
  nonce: string;
  person: string;
  firstName: string;
  email: string;
};

/** A page in parts: each part at an odd index is a mark that is replaced for each person. */
type SharedPage = { headers: [string, string][]; parts: string[] };

type SignedInPages = {
  /** Serves pages that are the same for all signed-in people, and leaves the rest to `otherwise`. */
  around(render: RenderScreen, otherwise: Handler<Env>): Handler<Env>;
};

/**
 * Caches the board and its jobs for signed-in people, for at most a minute and until jobs change. They are
 * rendered for a placeholder person, from a request with only the URL and the theme, so that the cache contains
 * nothing private.
 */
export function createSignedInPages(
  cache: ChangeCache,
  config: Config,
  screens: Pick<PublicScreens, "isShared" | "getCacheKey">,
  /** Counts that a person sees the contact of a job. False if they may not. */
  mayShowContact: (actor: Actor, jobId: string) => Promise<boolean>,
): SignedInPages {
  const room = (name: string) => cache.room<SharedPage | null>({ name, max: maxPages, lifetime });
  const rooms = { plain: room("signed-in pages"), queried: room("signed-in pages with a query") };
  return {
    around: (render, otherwise) => async (context, next) => {
      const { actor, facts } = context.var;
      const { isShared, getCacheKey } = screens;
      const address = getCacheKey(new URL(context.req.url));
      if (
        !actor ||
        address === null ||
        !cache.isTrusted() ||
        !isShared(context.req.path) ||
        !canShareScreen(context, actor, config)
      )
        return otherwise(context, next);
      const jobId = /^\/jobs\/([^/]+)$/.exec(context.req.path)?.[1];
      if (jobId && !(await mayShowContact(actor, jobId))) return otherwise(context, next);
      const request = removePersonFromRequest(context, config, address);
      const key = [request.url, request.headers.get("cookie"), actor.isReviewer].join("\n");
      const pages = address.includes("?") ? rooms.queried : rooms.plain;
      const page = await pages.read(key, () => renderForPlaceholder(render, request, actor));
      return page
        ? renderSharedPage(page, toPersonalValues(actor, facts))
        : otherwise(context, next);
    },
  };
}

/** Excludes people who can change jobs, so that they see their own changes immediately. */
function canShareScreen(context: Context<Env>, actor: Actor, config: Config): boolean {
  const { req } = context;
  return (
    req.method === "GET" &&
    req.url.length < 500 &&
    !actor.isGodAdmin &&
    !actor.isJobBoardAdder &&
    !actor.hasActiveSubscription &&
    context.get("facts").toasts.length === 0 &&
    !hasOneTimeContent(context, config)
  );
}

function removePersonFromRequest(context: Context<Env>, config: Config, address: string): Request {
  const theme = readTheme(context.req.header("cookie") ?? null, config);
  return new Request(config.origin + address, {
    headers: { cookie: `${getCookieName(themeCookie, config)}=${theme}` },
  });
}

/** The marks are unguessable, so that no job's text contains one. Their quotes show how each place is escaped. */
const marks: Personal = {
  requestId: randomBytes(16).toString("hex"),
  nonce: randomBytes(16).toString("hex"),
  person: randomUUID(),
  firstName: `"${randomBytes(16).toString("hex")}"`,
  email: `"${randomBytes(16).toString("hex")}"`,
};

/** @returns null for errors and for responses that set a cookie or show a toast */
async function renderForPlaceholder(
  render: RenderScreen,
  request: Request,
  { isReviewer }: Actor,
): Promise<SharedPage | null> {
  const facts: RequestFacts = {
    id: marks.requestId,
    clientAddress: "",
    nonce: marks.nonce,
    toasts: [],
    shownToasts: [],
    setCookies: [],
    isForEveryone: true,
  };
  const placeholder: Actor = {
    id: marks.person,
    email: marks.email,
    fullName: marks.firstName,
    isReviewer,
    isGodAdmin: false,
    isJobBoardAdder: false,
    hasActiveSubscription: false,
    sessionId: "00000000-0000-0000-0000-000000000000",
    isProved: false,
    factorDueAt: null,
  };
  const response = await render(request, { facts, actor: placeholder });
  const isSame = response.status === 200 && facts.setCookies.length + facts.toasts.length === 0;
  if (!isSame || response.headers.has("set-cookie")) return null;
  return { headers: [...response.headers], parts: (await response.text()).split(markPattern) };
}

function toPersonalValues({ id: person, fullName, email }: Actor, { id, nonce }: RequestFacts) {
  return {
    requestId: id,
    nonce,
    person,
    firstName: getDashboardLink(noRoles, fullName).label,
    email,
  };
}

const noRoles = { isGodAdmin: false, isJobBoardAdder: false, isReviewer: false };

function renderSharedPage({ headers, parts }: SharedPage, values: Personal): Response {
  const encoded = listEncodedValues(values);
  const places = new Map(encoded.map((value, place) => [encodedMarks[place], value]));
  const html = parts.map((part, place) => (place % 2 === 0 ? part : places.get(part)));
  return buildPageResponse(html.join(""), { headers });
}

const encodedMarks = listEncodedValues(marks);
const markPattern = new RegExp(`(${encodedMarks.join("|").replaceAll("\\", "\\\\")})`);

/** Lists each value as it appears in HTML, and in the script with the loaders' data. */
function listEncodedValues(values: Personal): string[] {
  return Object.keys(marks).flatMap((name) => {
    const value = values[name as keyof Personal];
    return [
      renderToStaticMarkup(value),
      removeQuotes(toScriptLiteral(removeQuotes(JSON.stringify(value)))),
    ];
  });
}

function removeQuotes(literal: string): string {
  return literal.slice(1, -1);
}
