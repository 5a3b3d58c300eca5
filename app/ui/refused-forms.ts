import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * The `shouldRevalidate` of a screen that revalidates after a refused form too, since a stale screen would be refused
 * again. It doesn't after a server error: the load could fail as well, and remove the typed text and the message.
 */
export function revalidateAfterRefusal({
  formMethod,
  actionStatus = 200,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return formMethod === "POST" ? actionStatus < 500 : defaultShouldRevalidate;
}
