import { redirect } from "react-router";
import { ownPath } from "../accounts/sign-in/own-path.ts";
import type { Route } from "./+types/theme.action.ts";
import { themeCookie, themes } from "./theme.ts";

/** Switches the theme, with or without JavaScript, and goes back to where the switch was. */
export async function action({ request }: Route.ActionArgs) {
  const form = await request.formData();
  const theme = themes.find((known) => known === form.get("theme")) ?? "system";
  const cookie = `${themeCookie}=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
  return redirect(ownPath(form.get("next")) ?? "/", { headers: { "Set-Cookie": cookie } });
}

/** A link cannot switch it. */
export function loader() {
  return redirect("/");
}
