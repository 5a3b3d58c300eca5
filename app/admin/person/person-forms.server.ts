import { z } from "zod";
import { currentActor } from "../../accounts/actor.server.ts";
import { banUser, changeUserRole, unbanUser } from "../../accounts/bans-and-roles.server.ts";
import { sendPasswordReset } from "../../accounts/password-reset/reset-password.server.tsx";
import { staffRoleNames } from "../../accounts/roles.ts";
import { banLengths, longestBanReason } from "../../accounts/rules.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { day, now } from "../../platform/clock.ts";
import { formActions, formIntent, type Posted, succeeded } from "../../platform/forms.server.ts";

/** Whom the screen is about. */
const userId = ({ params }: Pick<Posted, "params">) => params.userId ?? "";

const role = (change: "grant" | "revoke", done: string, failed: string) =>
  formIntent({
    schema: z.object({ role: z.enum(staffRoleNames) }),
    run: (sent) =>
      changeUserRole(sent.context.get(appContext).db, sent.context.get(currentActor), {
        userId: userId(sent),
        role: sent.value.role,
        change,
      }),
    done: () => succeeded(done),
    failed,
  });

const ban = formIntent({
  schema: z.object({
    days: z.coerce
      .number()
      .refine((days) => banLengths.some((length) => length.days === days), "Choose for how long"),
    reason: z
      .string()
      .trim()
      .min(5, "Say why: they read it in the mail that tells them")
      .max(longestBanReason, `At most ${longestBanReason} characters`),
  }),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    const { days, reason } = sent.value;
    const until = new Date(now().getTime() + days * day);
    const asked = { userId: userId(sent), until, reason };
    return banUser(db, sent.context.get(currentActor), asked, config);
  },
  done: () => succeeded("They are banned and signed out everywhere, and a mail tells them"),
  failed: "Failed to ban them",
});

const unban = formIntent({
  schema: z.object({}),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    return unbanUser(db, sent.context.get(currentActor), userId(sent), config);
  },
  done: () => succeeded("They may sign in again, and a mail tells them"),
  failed: "Failed to lift the ban",
});

const resetPassword = formIntent({
  schema: z.object({}),
  run(sent) {
    const { db, config } = sent.context.get(appContext);
    return sendPasswordReset(db, sent.context.get(currentActor), userId(sent), config);
  },
  done: () => succeeded("Password reset email sent successfully"),
  failed: "Failed to send password reset email",
});

/** The action of a person's own page. */
export const changePerson = formActions({
  "grant-role": role("grant", "The role is given", "Failed to give the role"),
  "revoke-role": role("revoke", "The role is taken away", "Failed to take the role away"),
  ban,
  unban,
  "reset-password": resetPassword,
});
