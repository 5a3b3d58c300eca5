import { isExpected, TooMany } from "../platform/errors.ts";
import type { UploadProblem, UploadPurpose } from "./rules.ts";
import { failedTitle } from "./upload-words.ts";

/** A file, or the attempt to upload one, is refused; the person is told why. */
export class RefusedUpload extends Error {
  override name = "RefusedUpload";
  readonly problem: UploadProblem;
  readonly status: number;

  constructor({ title, description }: UploadProblem, status = 422) {
    super(`${title}: ${description}`);
    this.problem = { title, description };
    this.status = status;
  }
}

/** The error as a refusal if the person caused it, and as it is otherwise. */
export function asRefusal(error: unknown, purpose: UploadPurpose | null): unknown {
  if (!isExpected(error)) return error;
  const problem = { title: failedTitle(purpose), description: error.message };
  return new RefusedUpload(problem, error instanceof TooMany ? 429 : 422);
}
