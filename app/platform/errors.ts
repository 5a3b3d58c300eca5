/**
 * The errors that a person can cause. Everything else that is thrown, but for `Unavailable`, is a bug:
 * logged whole, and shown as the error screen with a reference.
 *
 * The router turns a thrown value of type "DataWithResponseInit" into an error screen with the
 * status in `init`, so these classes carry that shape and need no translation on the way.
 */
abstract class ExpectedError extends Error {
  readonly type = "DataWithResponseInit";
  readonly data: { message: string };
  readonly init: { status: number };
  /** Names the error for code: messages are for people, and change. */
  code: string | undefined;

  constructor(message: string, status: number) {
    super(message);
    this.data = { message };
    this.init = { status };
  }
}

/** The thing does not exist, or is not the actor's to see. */
export class NotFound extends ExpectedError {
  override name = "NotFound";

  /** @param message for the error screen, which has words of its own unless one is given */
  constructor(message = "") {
    super(message || "Not found", 404);
    this.data.message = message;
  }
}

/** The actor may not do this. */
export class Denied extends ExpectedError {
  override name = "Denied";

  /** @param code names the reason, where somebody has to tell it from others */
  constructor(message = "You may not do this.", code?: string) {
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

/** The actor may do this, once they have proved again who they are. */
export class NotProved extends ExpectedError {
  override name = "NotProved";

  constructor(message = "Please sign in again to do this.") {
    super(message, 403);
  }
}

/** The input is invalid: a message for each field, "" for the form as a whole. */
export class Invalid extends ExpectedError {
  override name = "Invalid";
  readonly fields: Readonly<Record<string, string>>;

  /** @param code names the error, where somebody has to tell it from others */
  constructor(fields: Record<string, string>, code?: string) {
    super(Object.values(fields).join(" "), 422);
    this.fields = fields;
    this.code = code;
  }
}

/** The thing has changed since it was shown, or it was already done. */
export class Conflict extends ExpectedError {
  override name = "Conflict";
  /** The thing as it is now, where `code` is "changed" and the actor may see it. */
  readonly current: unknown;

  /** @param details.code names the conflict, where somebody has to tell it from others */
  constructor(message: string, { code, current }: { code?: string; current?: unknown } = {}) {
    super(message, 409);
    this.code = code;
    this.current = current;
  }
}

/** It was tried too often; it may be tried again after a while. */
export class TooMany extends ExpectedError {
  override name = "TooMany";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`Too many attempts. Please try again ${formatWaitingTime(retryAfterSeconds)}.`, 429);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The data in the services that we cannot do without. */
const services = { database: "database", store: "file storage" };

/** The database or the file store cannot be reached or is too slow. Nobody is at fault, and it passes. */
export class Unavailable extends Error {
  override name = "Unavailable";
  readonly service: keyof typeof services;
  /** The message of its connection or server, for the log, where it may appear a thousand times. */
  readonly why: string;

  constructor(service: keyof typeof services, cause: Error) {
    const message = `Our ${services[service]} is unavailable. Please try again in a minute.`;
    super(message, { cause });
    this.service = service;
    this.why = cause.message;
  }
}

/** The system's code of an error: what became of a connection or a file; for a query PostgreSQL's SQLSTATE. */
export function getErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const connectionCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Checks whether a server could not be reached, or disconnected. */
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
