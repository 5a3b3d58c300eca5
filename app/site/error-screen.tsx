import { isRouteErrorResponse, useLocation } from "react-router";
import { ButtonLink } from "../ui/form/button.tsx";
import { Unanswered } from "../ui/unanswered.ts";
import { DrawingSvg, type Drawing } from "../ui/feedback/empty-state.tsx";
import * as styles from "./error-screen.module.css";

type Words = {
  code?: string;
  title: string;
  message: string;
  drawing: Drawing;
  /** True if trying again may help. */
  again?: boolean;
  /** True for a bug, which is shown with its reference in the log. */
  bug?: boolean;
};

/** The page shown instead of a screen after an error or a bug. */
export function ErrorScreen({ error, reference }: { error: unknown; reference?: string }) {
  const words = describeError(error);
  return <ErrorPage words={words} reference={words.bug ? reference : undefined} />;
}

/** @param reference finds the error in the log */
export function ErrorPage({ words, reference }: { words: Words; reference?: string }) {
  const { pathname, search } = useLocation();
  return (
    <div className={styles.lost}>
      <div>
        {words.code && <p className={styles.code}>{words.code}</p>}
        <h1>{words.title}</h1>
        <p className={styles.words}>{words.message}</p>
        {reference && (
          <p className="mt-4 text-sm text-ink-faint">
            Reference: <code className="tabular">{reference}</code>
          </p>
        )}
        <div className={styles.ways}>
          {words.again && (
            <ButtonLink to={pathname + search} reloadDocument>
              Try again
            </ButtonLink>
          )}
          <ButtonLink to="/" variant={words.again ? "secondary" : "primary"}>
            Return to Home
          </ButtonLink>
        </div>
      </div>
      <DrawingSvg name={words.drawing} />
    </div>
  );
}

/** Returns the heading, which is also the page's title. */
export function getErrorTitle(error: unknown): string {
  return describeError(error).title;
}

function describeError(error: unknown): Words {
  if (isRouteErrorResponse(error)) return describeStatus(error.status, extractMessage(error.data));
  if (isUnanswered(error)) {
    return {
      title: navigator.onLine ? "We can't reach the server" : "You're offline",
      message: "Check your connection and try again.",
      drawing: "lost",
      again: true,
    };
  }
  return bug;
}

/** The texts for a page or a thing that doesn't exist. */
export const notFound: Words = {
  code: "404",
  title: "Oops! Page not found",
  message: "This place isn't on our map.",
  drawing: "lost",
};

const bug: Words = {
  title: "Unexpected Application Error!",
  message: "Something went wrong on our side. Please try again.",
  drawing: "table",
  again: true,
  bug: true,
};

function describeStatus(status: number, message: string | null): Words {
  switch (status) {
    case 404:
      return message ? { ...notFound, message } : notFound;
    case 403:
      return {
        code: "403",
        title: "You can't open this page",
        message: message ?? "Your account has no access to it.",
        drawing: "map",
      };
    case 409:
      return {
        code: "409",
        title: "This has changed",
        message: message ?? "Someone was faster. Reload the page to see the latest.",
        drawing: "table",
        again: true,
      };
    case 429:
      return {
        code: "429",
        title: "Too many attempts",
        message: message ?? "Please try again in a minute.",
        drawing: "search",
        again: true,
      };
    case 503:
      return {
        code: "503",
        title: "We'll be right back",
        message: message ?? "Our database is unavailable. Please try again in a minute.",
        drawing: "inbox",
        again: true,
      };
    default:
      if (status >= 500 || !message) return bug;
      return {
        code: String(status),
        title: "That didn't work",
        message,
        drawing: "map",
        again: true,
      };
  }
}

function extractMessage(data: unknown): string | null {
  const message = (data as { message?: unknown } | null)?.message;
  return typeof message === "string" && message ? message : null;
}

/** Checks whether a request got no answer from our server. Browsers have different messages for their own requests. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof Unanswered) return true;
  if (typeof window === "undefined" || !(error instanceof TypeError)) return false;
  return !navigator.onLine || /fetch|network|load failed/i.test(error.message);
}
