import { Outlet } from "react-router";
import type { Route } from "./+types/signed-in.sheet.ts";
import { isConsentForm, NoticeBanner } from "./consents/notice-banner.tsx";
import { loadNoticeBanner } from "./consents/notice-banner.server.ts";
import sheet from "./signed-in.sheet.css?url";

export function loader({ context }: Route.LoaderArgs) {
  return loadNoticeBanner(context);
}

export const shouldRevalidate = isConsentForm;

/** The styles of screens for signed-in people. React shows a screen once they are loaded. */
export default function SignedInSheet({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="default" />
      <NoticeBanner banner={loaderData} />
      <Outlet />
    </>
  );
}
