import type { ShouldRevalidateFunctionArgs } from "react-router";
import { manageAddress, readManageQuery } from "./query.ts";

/** A screen's `shouldRevalidate`: closing what is open over the list changes the address, not the list. */
export function closesForm({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod && formMethod !== "GET") return defaultShouldRevalidate;
  const [current, next] = [currentUrl, nextUrl].map((url) => readManageQuery(url.searchParams));
  const list = (query = current) => manageAddress("", { ...query, form: null });
  return current?.form && !next?.form && list() === list(next) ? false : defaultShouldRevalidate;
}
