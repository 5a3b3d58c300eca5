/**
 * Errors that a person can cause. Any other thrown error except `Unavailable` is a bug, which is logged in full and
 * shown as the error screen with a reference.
 *
 * These classes have the shape of the router's "DataWithResponseInit", which becomes an error screen with the status
 * in `init`.
 */
abstract class ExpectedError extends Error {
  readonly type = "DataWithResponseInit";
  readonly data: { message: string };
  readonly init: { status: number };
  /** Identifies the error in code, since messages are for people and change. */
  code: string | undefined;

  constructor(message: string, status: number) {
    super(message);
    this.data = { message };
    this.init = { status };
  }
}

/** The thing doesn't exist, or the actor may not see it. */
export class NotFound extends ExpectedError {
  override name = "NotFound";

  /** @param message for the error screen, which has a default */
  constructor(message = "") {
    super(message || "Not found", 404);
    this.data.message = message;
  }
}

/** The actor may not do this. */
export class Denied extends ExpectedError {
  override name = "Denied";

  /** @param code identifies the reason, if callers need it */
  constructor(message = "You can't do this.", code?: string) {
    super(message, 403);
    this.code = code;
  }
}

/** The request needs a signed-in person. */
export class SignedOut extends ExpectedError {
  override name = "SignedOut";

  constructor(message = "Please log in first.") {
    super(message, 401);
  }
}

/** The actor may do this after proving their identity again. */
export class NotProved extends ExpectedError {
  override name = "NotProved";

  constructor(message = "Please sign in again to do this.") {
    super(message, 403);
  }
}

/** The input is invalid. It has a message for each field, with "" for the form as a whole. */
export class Invalid extends ExpectedError {
  override name = "Invalid";
  readonly fields: Readonly<Record<string, string>>;

  /** @param code identifies the error, if callers need it */
  constructor(fields: Record<string, string>, code?: string) {
    super(Object.values(fields).join(" "), 422);
    this.fields = fields;
    this.code = code;
  }
}

/** The thing has changed since it was shown, or the action was already done. */
export class Conflict extends ExpectedError {
  override name = "Conflict";
  /** The current value, if `code` is "changed" and the actor may see it. */
  readonly current: unknown;

  /** @param details.code identifies the conflict, if callers need it */
  constructor(message: string, { code, current }: { code?: string; current?: unknown } = {}) {
    super(message, 409);
    this.code = code;
    this.current = current;
  }
}

/** Too many attempts. The action may be tried again later. */
export class TooMany extends ExpectedError {
  override name = "TooMany";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`Too many attempts. Please try again ${formatWaitingTime(retryAfterSeconds)}.`, 429);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The names of the required services. */
const services = { database: "database", store: "file storage" };

/** The database or the file store can't be reached or is too slow. This is temporary and not the person's fault. */
export class Unavailable extends Error {
  override name = "Unavailable";
  readonly service: keyof typeof services;
  /** The message of the connection or server, for the log. It is short, since it may be logged a thousand times. */
  readonly why: string;

  constructor(service: keyof typeof services, cause: Error) {
    const message = `Our ${services[service]} is unavailable. Please try again in a minute.`;
    super(message, { cause });
    this.service = service;
    this.why = cause.message;
  }
}

/** Returns an error's code: the system's for connections and files, PostgreSQL's SQLSTATE for queries. */
export function getErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const connectionCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Checks whether a server couldn't be reached or disconnected. */
export function isConnectionError(error: unknown): boolean {
  return connectionCodes.test(getErrorCode(error) ?? "");
}

/** Checks whether a disk, or our share of it, is full. */
export function isDiskFull(error: unknown): boolean {
  return /^(ENOSPC|EDQUOT)$/.test(getErrorCode(error) ?? "");
}

export function isExpected(error: unknown): error is ExpectedError {
  return error instanceof ExpectedError;
}

function formatWaitingTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? "in a minute" : `in ${minutes} minutes`;
}
