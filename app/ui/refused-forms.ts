import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * The `shouldRevalidate` of a screen that is read again also after a refused form: it may have been refused because
 * things are others by now, and would be again and again from a screen that still shows the old ones. Not after a
 * failure of ours: reading might fail as well, and take what was typed and the message away.
 */
export function revalidateAfterRefusal({
  formMethod,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return formMethod === "POST" ? actionStatus < 500 : defaultShouldRevalidate;
}
