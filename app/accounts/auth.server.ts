import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { createContext } from "react-router";
import { z } from "zod";
import { day, second } from "../platform/clock.ts";
import type { Config } from "../platform/config.server.ts";
import type { Database } from "../platform/database.server.ts";
import { sessionLifetime } from "./actor.server.ts";
import { hashPassword, passwordMatches } from "./passwords.server.ts";
import { sessionCookie } from "./session-cookie.server.ts";
import { accounts, sessions, users, verifications } from "./tables.server.ts";

/**
 * better-auth checks passwords and makes sessions. Its own handler is never mounted: our actions call
 * it, with our limits. Sign-up, mailed links and reading a session are ours (see docs/decisions).
 */
export function createAuth(db: Database, config: Config) {
  const { name, secure } = sessionCookie(config);
  return betterAuth({
    baseURL: config.origin,
    secret: config.secret,
    database: drizzleAdapter(db, {
      provider: "pg",
      schema: { user: users, session: sessions, account: accounts, verification: verifications },
    }),
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      disableSignUp: true,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => passwordMatches(hash, password),
      },
    },
    session: {
      expiresIn: sessionLifetime / second,
      updateAge: day / second,
      cookieCache: { enabled: false },
    },
    advanced: {
      // Its own secure prefix would come in front of ours, so the attribute is set by hand.
      useSecureCookies: false,
      cookies: {
        session_token: { name, attributes: { secure, httpOnly: true, sameSite: "lax", path: "/" } },
      },
      cookiePrefix: "",
      database: { generateId: "uuid" },
    },
    plugins: [ownSessions],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  });
}

export type Auth = ReturnType<typeof createAuth>;

/** better-auth, for the account actions: `context.get(auth)` */
export const auth = createContext<Auth>();

/** Opens a session for a person who proved in another way who they are: by a link from their mailbox. */
const ownSessions = {
  id: "own-sessions",
  endpoints: {
    openSession: createAuthEndpoint(
      "/own-sessions/open",
      { method: "POST", body: z.object({ userId: z.string() }) },
      async (endpoint) => {
        const { internalAdapter } = endpoint.context;
        const user = await internalAdapter.findUserById(endpoint.body.userId);
        if (!user) throw new Error("A session is opened only for a user that exists.");
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(endpoint, { session, user });
        return endpoint.json({ opened: true });
      },
    ),
  },
} as const;
