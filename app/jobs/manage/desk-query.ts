import { type BoardQuery, plainSearch } from "../board-query.ts";
import { jobTypes } from "../rules.ts";

/** What stands open over a list of listings. */
export type OpenForm = { deed: "create" } | { deed: "edit" | "delete"; id: string };

/** What the address of a list of listings asks for. */
export type DeskQuery = Pick<BoardQuery, "search" | "type" | "after"> & {
  isArchived: boolean;
  form: OpenForm | null;
};

/** Reads such an address; whatever it holds, it is a query. */
export function readDeskQuery(params: URLSearchParams): DeskQuery {
  return {
    isArchived: params.get("tab") === "archived",
    search: plainSearch(params.get("search") ?? ""),
    type: jobTypes.find((type) => type === params.get("type")) ?? null,
    after: params.get("after") || null,
    form: readForm(params),
  };
}

function readForm(params: URLSearchParams): OpenForm | null {
  if (params.has("new")) return { deed: "create" };
  for (const deed of ["edit", "delete"] as const) {
    const id = params.get(deed);
    if (id) return { deed, id };
  }
  return null;
}

/** The shortest address that asks for this. */
export function deskAddress(
  path: string,
  { isArchived, search, type, after, form }: Partial<DeskQuery>,
): string {
  const params = new URLSearchParams();
  if (isArchived) params.set("tab", "archived");
  if (search) params.set("search", search);
  if (type) params.set("type", type);
  if (after) params.set("after", after);
  if (form) params.set(form.deed === "create" ? "new" : form.deed, "id" in form ? form.id : "");
  return params.size > 0 ? `${path}?${params}` : path;
}
