import type { Cookie } from "../../platform/cookies.ts";

/** Set by a browser that signs out: its session counts no more, whether or not the server was told. */
export const leavingCookie: Cookie = { name: "leaving", isForScripts: true };
