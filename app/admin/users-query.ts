/** The query of the user list; safe for the browser. */

import { writeQuery } from "../platform/lists/lists.ts";
import { readSort, type Sort, writeSort } from "../platform/lists/sorts.ts";
import type { OwnAddress } from "../platform/own-path.ts";
import { parseSearch } from "../ui/list/search.ts";

export const userSorts = ["email", "registered", "role"] as const;

const firstSort = { by: "email", direction: "asc" } as const;

export type UsersQuery = Sort<(typeof userSorts)[number]> & {
  /** Part of an email address or a role; "" finds all. */
  search: string;
  /** The cursor of the page to show; null for the first. */
  after: string | null;
};

/** Invalid parameters are ignored. */
export function parseUsersQuery(params: URLSearchParams): UsersQuery {
  return {
    search: parseSearch(params),
    ...readSort(params.get("sort"), userSorts, firstSort),
    after: params.get("after") || null,
  };
}

/** Returns "?search=asha&sort=role.asc", without parameters at their defaults. */
export function buildUsersAddress({ search, by, direction, after }: UsersQuery): OwnAddress {
  const sort = writeSort({ by, direction });
  const isFirst = sort === writeSort(firstSort);
  return writeQuery({ search, sort: isFirst ? null : sort, after }) || ".";
}
