import type { ShouldRevalidateFunctionArgs } from "react-router";
import { deskAddress, readDeskQuery } from "./desk-query.ts";

/** A screen's `shouldRevalidate`: closing what is open over the list changes the address, not the list. */
export function closesForm({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod && formMethod !== "GET") return defaultShouldRevalidate;
  const [current, next] = [currentUrl, nextUrl].map((url) => readDeskQuery(url.searchParams));
  const list = (query = current) => deskAddress("", { ...query, form: null });
  return current?.form && !next?.form && list() === list(next) ? false : defaultShouldRevalidate;
}
