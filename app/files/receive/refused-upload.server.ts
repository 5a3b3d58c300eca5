import { isExpected, TooMany } from "../../platform/errors.ts";
import type { UploadProblem, UploadPurpose } from "../rules.ts";
import { failedTitle } from "../field/upload-copy.ts";

/** A file, or the attempt to upload one, is refused; the person is told why. */
export class RefusedUpload extends Error {
  override name = "RefusedUpload";
  readonly problem: UploadProblem;
  readonly status: number;
  /** Headers of the answer that says so. */
  readonly headers: Record<string, string>;

  constructor(
    { title, description }: UploadProblem,
    status = 422,
    headers: Record<string, string> = {},
  ) {
    super(`${title}: ${description}`);
    this.problem = { title, description };
    this.status = status;
    this.headers = headers;
  }
}

/** The error as a refusal if the person caused it, and as it is otherwise. */
export function asRefusal(error: unknown, purpose: UploadPurpose | null): unknown {
  if (!isExpected(error)) return error;
  const problem = { title: failedTitle(purpose), description: error.message };
  if (!(error instanceof TooMany)) return new RefusedUpload(problem);
  return new RefusedUpload(problem, 429, { "Retry-After": String(error.retryAfterSeconds) });
}
