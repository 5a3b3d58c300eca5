import type { Cookie } from "../../platform/cookies.ts";

/** Set by a browser that signs out, so that its session ends even if the request never arrives. */
export const leavingCookie: Cookie = { name: "leaving", isForScripts: true };
