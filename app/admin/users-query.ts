/** What the address of the list of users asks for; safe for the browser. */

import { readSort, type Sort, writeSort } from "../platform/lists.ts";

export const userSorts = ["email", "registered", "role"] as const;

const firstSort = { by: "email", direction: "asc" } as const;

export type UsersQuery = Sort<(typeof userSorts)[number]> & {
  /** Part of an e-mail address or a role; "" finds all. */
  search: string;
  /** The cursor of the page to show; null is the first. */
  after: string | null;
};

export const longestUserSearch = 200;

/** Anything that is not understood counts as absent. */
export function readUsersQuery(params: URLSearchParams): UsersQuery {
  return {
    search: (params.get("search") ?? "")
      .trim()
      .slice(0, longestUserSearch)
      .replaceAll("\u0000", ""),
    ...readSort(params.get("sort"), userSorts, firstSort),
    after: params.get("after") || null,
  };
}

/** "?search=asha&sort=role.asc": only what is asked for. */
export function usersAddress({ search, by, direction, after }: UsersQuery): string {
  const params = new URLSearchParams();
  if (search) params.set("search", search);
  const sort = writeSort({ by, direction });
  if (sort !== writeSort(firstSort)) params.set("sort", sort);
  if (after) params.set("after", after);
  const text = params.toString();
  return text ? `?${text}` : ".";
}
