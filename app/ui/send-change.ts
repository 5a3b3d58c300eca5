import { expectedUserHeader } from "./expected-user.ts";

/** In bytes. Browsers limit `keepalive` requests to 64 KB. */
const maxKeepaliveBytes = 60_000;

/** The server's answer to a change, with the current value in a conflict. */
export type ChangeResult<Current = unknown> =
  | { ok: true; result: unknown }
  | {
      ok: false;
      message: string;
      /** A message for each refused field. */
      errors?: Record<string, string>;
      /** Identifies the error. */
      code?: string;
      current?: Current;
      /** True if the server would refuse the same change again. */
      isRefused?: boolean;
    };

/**
 * Sends a change to a JSON endpoint without leaving the screen.
 *
 * @param fields the fields, including the `intent`
 * @param leaving true if the tab may close before the answer
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
    return { ok: false, message: "You're offline." };
  }
}

const signedOut = "You're signed out, or you no longer have access to this.";

/** Builds the request for a change, in the format of a form. */
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
    // A redirect to the sign-in must not count as an answer.
    redirect: "manual",
    keepalive: leaving && body.length <= maxKeepaliveBytes,
  } satisfies RequestInit;
}

/** Checks whether the server would refuse this change again. A rate limit is temporary. */
function isPermanentRefusal({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Checks whether a change is small enough to be sent while its tab closes. */
export function canOutlive(fields: Record<string, string>): boolean {
  return encodeFields(fields).length <= maxKeepaliveBytes;
}

function encodeFields(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
