import { shownPerson } from "./expected-user.ts";

/** In bytes; browsers refuse to send more than 64 KB that shall outlive its page. */
const mostToOutlive = 60_000;

/**
 * The request of a form that scripts send from a screen that stays; its answer is data.
 *
 * @param leaving when the tab may be gone before the answer
 */
export function backgroundForm(fields: Record<string, string>, leaving: boolean) {
  const body = encoded(fields);
  return {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      ...shownPerson(),
    },
    body,
    // The way to the sign-in must not be taken for an answer.
    redirect: "manual",
    keepalive: leaving && body.length <= mostToOutlive,
  } satisfies RequestInit;
}

/** Whether the server will not have this form, however often it comes; one that came too soon it will. */
export function isRefusal({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether a form of a tab that is closed right then still arrives, where there is a connection. */
export function canOutlive(fields: Record<string, string>): boolean {
  return encoded(fields).length <= mostToOutlive;
}

function encoded(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
