import { appContext } from "../platform/app-context.server.ts";
import { parseOwnPath } from "../platform/own-path.ts";
import { redirect } from "../platform/redirect.server.ts";
import type { Route } from "./+types/theme.action.ts";
import { buildThemeCookie, themes } from "./theme.ts";

/** Switches the theme, with or without JavaScript, and returns to the page of the switch. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const theme = themes.find((candidate) => candidate === form.get("theme")) ?? "system";
  return redirect(parseOwnPath(form.get("next")) ?? "/", {
    headers: { "Set-Cookie": buildThemeCookie(theme, context.get(appContext).config) },
  });
}

/** A link can't switch the theme. */
export function loader() {
  return redirect("/");
}
