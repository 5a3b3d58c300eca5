import { Page } from "../ui/layout/page.tsx";
import { buildPrivateMeta } from "../ui/meta.ts";
import type { Route } from "./+types/settings.screen.ts";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, "Settings");

/** A route without a loader isn't requested from the server, so its guard wouldn't run. */
export function loader() {
  return null;
}

export default function Settings() {
  return (
    <Page title="Settings">
      <p>Platform settings will be available in a future update</p>
    </Page>
  );
}
