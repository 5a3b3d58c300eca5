import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in.styles.ts";
import { isConsentForm, NoticeBanner } from "./consents/notice-banner.tsx";
import { loadNoticeBanner } from "./consents/notice-banner.server.ts";
import stylesheet from "./signed-in.styles.css?url";

export function loader({ context }: Route.LoaderArgs) {
  return loadNoticeBanner(context);
}

export const shouldRevalidate = isConsentForm;

/** The styles of screens for signed-in people. React shows a screen once they are loaded. */
export default function SignedInStyles({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <NoticeBanner banner={loaderData} />
      <Outlet />
    </>
  );
}
