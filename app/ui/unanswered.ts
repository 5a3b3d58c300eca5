import type { Toast } from "../platform/app-context.server.ts";

/** A request without a complete answer from our server. A proxy may have answered instead. */
export class Unanswered extends Error {
  /** The server's text, when it refused the form because someone else is signed in now. */
  words?: Pick<Toast, "title" | "description">;
}
