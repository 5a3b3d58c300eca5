import type { ReactNode } from "react";
import {
  data,
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root.ts";
import { ErrorScreen, getErrorTitle } from "./site/error-screen.tsx";
import { requestFacts } from "./platform/app-context.server.ts";
import { Frame, NavigationProgress } from "./site/frame.tsx";
import { getShell, type Shell } from "./site/shell.server.ts";
import { useHydrated } from "./ui/hydrated.ts";
import { restoreUnsentForm, unsent } from "./ui/feedback/send-form.ts";
import { Toasts } from "./ui/feedback/toasts.tsx";
import { buildPrivateMeta } from "./ui/meta.ts";
import displayFont from "./ui/fonts/anek-latin.woff2?url";
import textFont from "./ui/fonts/instrument-sans.woff2?url";
import icon from "./ui/brand/icon.svg?no-inline";
import stylesheet from "./root.css?url";
import { paperColors as paper, type Theme } from "./site/theme.ts";
import * as styles from "./site/frame.module.css";

/**
 * Refuses every screen without the database, since the actor is unknown. The error carries the frame's data, because
 * loaders don't run.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context }, next) => {
    const { unavailable } = context.get(requestFacts);
    if (!unavailable) return next();
    const { message } = unavailable;
    throw data({ message, shell: getShell(request, context) }, { status: 503 });
  },
];

export function loader({ request, context }: Route.LoaderArgs) {
  return getShell(request, context);
}

export const clientMiddleware = [restoreUnsentForm];

/** Revalidates after every form, even a refused one, since its toasts come with this data. */
export function shouldRevalidate({
  formMethod,
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  if (actionStatus === unsent) return false;
  return formMethod && formMethod !== "GET" ? true : defaultShouldRevalidate;
}

export const links: LinksFunction = () => [
  ...[displayFont, textFont].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: icon, type: "image/svg+xml", sizes: "any" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const meta: Route.MetaFunction = ({ matches, error }) =>
  buildPrivateMeta(matches, error ? getErrorTitle(error) : undefined);

const noToasts: never[] = [];

/** The document around every screen, including error screens. Without its data it is a bare page. */
export function Layout({ children }: { children: ReactNode }) {
  const loaded = useRouteLoaderData<typeof loader>("root");
  const error = useRouteError();
  const shell = loaded ?? getErrorShell(error);
  const hydrated = useHydrated();
  return (
    <html
      lang="en-IN"
      data-theme={shell?.theme ?? "system"}
      data-person={shell?.person}
      data-live={hydrated || undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <ThemeColors theme={shell?.theme ?? "system"} />
        <Meta />
        {/* With a precedence, React puts it before the preloads, since it blocks the first paint. */}
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        {/* Styles need no nonce. Browsers hide a nonce, which React would report as a mismatch. */}
        <Links nonce="" />
      </head>
      <body>
        {shell ? (
          <Frame shell={shell}>{children}</Frame>
        ) : (
          <>
            <NavigationProgress />
            <main className={styles.main}>{children}</main>
            <Toasts initial={noToasts} />
          </>
        )}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

function getErrorShell(error: unknown): Shell | undefined {
  return isRouteErrorResponse(error) ? (error.data as { shell?: Shell } | null)?.shell : undefined;
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const shell = useRouteLoaderData<typeof loader>("root");
  return <ErrorScreen error={error} reference={shell?.requestId} />;
}

/** The colour of the browser's bars, as in the current theme. */
function ThemeColors({ theme }: { theme: Theme }) {
  if (theme !== "system") return <meta name="theme-color" content={paper[theme]} />;
  return (
    <>
      <meta name="theme-color" content={paper.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={paper.dark} media="(prefers-color-scheme: dark)" />
    </>
  );
}
