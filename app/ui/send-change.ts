import { expectedUserHeader } from "./expected-user.ts";

/** In bytes; browsers refuse to send more than 64 KB that shall outlive its page. */
const mostToOutlive = 60_000;

/** The server's answer to a change. In a conflict it has the server's current value. */
export type ChangeResult<Current = unknown> =
  | { ok: true; result: unknown }
  | {
      ok: false;
      message: string;
      /** A message a field, for fields that were refused. */
      errors?: Record<string, string>;
      /** Names the error. */
      code?: string;
      current?: Current;
      /** The server would refuse the same change again. */
      isRefused?: boolean;
    };

/**
 * Sends a change to an endpoint that answers in data, from a screen that stays.
 *
 * @param fields with the `intent` that names the change
 * @param leaving when the tab may be gone before the answer
 */
export async function sendChange<Current>(
  address: string,
  fields: Record<string, string>,
  leaving = false,
): Promise<ChangeResult<Current>> {
  try {
    const response = await fetch(address, buildChangeRequest(fields, leaving));
    if (response.type === "opaqueredirect")
      return { ok: false, message: signedOut, code: "signed-out" };
    const answer = (await response.json()) as Partial<{
      result: unknown;
      message: string;
      errors: Record<string, string>;
      code: string;
      current: Current;
    }>;
    if (response.ok) return { ok: true, result: answer.result };
    const { message = "Please try again in a moment.", errors, code, current } = answer;
    return { ok: false, message, errors, code, current, isRefused: isPermanentRefusal(response) };
  } catch {
    return { ok: false, message: "You seem to be offline." };
  }
}

const signedOut = "You're signed out, or you no longer have access to this.";

/** The request that sends a change, as a form. */
export function buildChangeRequest(fields: Record<string, string>, leaving: boolean) {
  const body = encodeFields(fields);
  return {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      ...expectedUserHeader(),
    },
    body,
    // The way to the sign-in must not be taken for an answer.
    redirect: "manual",
    keepalive: leaving && body.length <= mostToOutlive,
  } satisfies RequestInit;
}

/** Checks whether the server would refuse this change again. A rate limit is temporary. */
function isPermanentRefusal({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Checks whether a change still arrives when its tab closes right then, given a connection. */
export function canOutlive(fields: Record<string, string>): boolean {
  return encodeFields(fields).length <= mostToOutlive;
}

function encodeFields(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
