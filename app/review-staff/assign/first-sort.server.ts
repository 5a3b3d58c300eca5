import { appContext, requestFacts } from "../../platform/app-context.server.ts";
import { day, second } from "../../platform/clock.ts";
import { type Cookie, expireCookie, readCookie, setCookie } from "../../platform/cookies.ts";
import type { Posted } from "../../platform/forms.server.ts";
import { getOwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import {
  type AssignedSort,
  buildReviewsAddress,
  dueSort,
  firstAssignedSort,
  readReviewsQuery,
} from "./reviews-query.ts";

/** Stores that a person's list of assigned reviews starts with the ones that are due first. */
const cookie: Cookie = { name: "due-first" };

/** Reads the sort with which a person's list of assigned reviews starts. */
export function readFirstSort({
  request,
  context,
}: Pick<Posted, "request" | "context">): AssignedSort {
  const { config } = context.get(appContext);
  const isDueFirst = readCookie(cookie, request.headers.get("cookie"), config) === "yes";
  return isDueFirst ? dueSort : firstAssignedSort;
}

/** Answers the button that chooses the first sort, for a year, and opens the start of the list in that sort. */
export async function saveFirstSort({ url, form, context }: Posted) {
  const isDueFirst = form.get("dueFirst") === "yes";
  const { config } = context.get(appContext);
  const { setCookies } = context.get(requestFacts);
  setCookies.push(
    isDueFirst
      ? setCookie(cookie, "yes", (365 * day) / second, config)
      : expireCookie(cookie, config),
  );
  const { search, type, reviewer } = readReviewsQuery(url.searchParams);
  const list = buildReviewsAddress({ search, type, reviewer });
  return redirect(getOwnPath({ pathname: url.pathname, search: list === "." ? "" : list }));
}
