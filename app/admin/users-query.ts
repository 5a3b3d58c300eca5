/** What the address of the list of users asks for; safe for the browser. */

export const userSorts = ["email", "registered", "role"] as const;

export type UsersQuery = {
  /** Part of an e-mail address or a role; "" finds all. */
  search: string;
  by: (typeof userSorts)[number];
  direction: "asc" | "desc";
  /** The cursor of the page to show; null is the first. */
  after: string | null;
};

export const longestUserSearch = 200;

/** Anything that is not understood counts as absent. */
export function readUsersQuery(params: URLSearchParams): UsersQuery {
  const [name, direction] = (params.get("sort") ?? "").split(".");
  return {
    search: (params.get("search") ?? "")
      .trim()
      .slice(0, longestUserSearch)
      .replaceAll("\u0000", ""),
    by: userSorts.find((known) => known === name) ?? "email",
    direction: direction === "desc" ? "desc" : "asc",
    after: params.get("after") || null,
  };
}

/** "?search=asha&sort=role.asc": only what is asked for. */
export function usersAddress({ search, by, direction, after }: UsersQuery): string {
  const params = new URLSearchParams();
  if (search) params.set("search", search);
  if (by !== "email" || direction !== "asc") params.set("sort", `${by}.${direction}`);
  if (after) params.set("after", after);
  const text = params.toString();
  return text ? `?${text}` : ".";
}
