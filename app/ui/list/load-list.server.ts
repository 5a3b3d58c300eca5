import { data, type RouterContextProvider } from "react-router";
import { runCommand } from "../../platform/forms.server.ts";
import type { LoadedList } from "./staff-list.tsx";

/**
 * Loads a page of a list for its screen. If that fails, the answer has status 500, the message and no rows.
 *
 * @param fallback the message after an unexpected error
 * @param none the screen's other data after a failure
 */
export async function loadList<Row, More extends object, None extends object>(
  context: Readonly<RouterContextProvider>,
  read: () => Promise<Omit<LoadedList<Row>, "problem"> & More>,
  { fallback, none }: { fallback: string; none: None },
) {
  const outcome = await runCommand(context, read, { fallback });
  if (outcome.ok) return data({ ...outcome.value, problem: null });
  const empty: LoadedList<Row> = { problem: outcome.message, rows: [], previous: null, next: null };
  return data({ ...empty, ...none }, { status: 500 });
}
