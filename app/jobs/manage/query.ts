import type { ShouldRevalidateFunctionArgs } from "react-router";
import { type BoardQuery, plainSearch } from "../board/board-query.ts";
import { jobTypes } from "../rules.ts";

/** What stands open over a list of listings. */
export type OpenForm = { intent: "create" } | { intent: "edit" | "delete"; id: string };

/** What the address of a list of listings asks for. */
export type ManageQuery = Pick<BoardQuery, "search" | "type" | "after"> & {
  isArchived: boolean;
  form: OpenForm | null;
};

/** Reads such an address; whatever it holds, it is a query. */
export function readManageQuery(params: URLSearchParams): ManageQuery {
  return {
    isArchived: params.get("tab") === "archived",
    search: plainSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    after: params.get("after") || null,
    form: readForm(params),
  };
}

function readForm(params: URLSearchParams): OpenForm | null {
  if (params.has("new")) return { intent: "create" };
  for (const intent of ["edit", "delete"] as const) {
    const id = params.get(intent);
    if (id) return { intent, id };
  }
  return null;
}

/** The shortest address that asks for this. */
export function manageAddress(
  path: string,
  { isArchived, search, type, after, form }: Partial<ManageQuery>,
): string {
  const params = new URLSearchParams();
  if (isArchived) params.set("tab", "archived");
  if (search) params.set("search", search);
  if (type) params.set("type", type);
  if (after) params.set("after", after);
  if (form) params.set(form.intent === "create" ? "new" : form.intent, "id" in form ? form.id : "");
  return params.size > 0 ? `${path}?${params}` : path;
}

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
