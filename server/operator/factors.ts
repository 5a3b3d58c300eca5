import type { Command } from "@commander-js/extra-typings";
import { reencryptFactors, resetFactors } from "../../app/accounts/factor-changes.server.tsx";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import type { Answer, Choose } from "./command.ts";

/** Adds the commands for second factors. */
export function addFactorCommands(program: Command, choose: Choose): void {
  const family = program.command("factor").description("what people prove beside their password");
  family
    .command("reset")
    .description(
      "take away a lost second factor, ends every session of theirs; make sure first that it is they who ask",
    )
    .argument("<e-mail>")
    .action((email) => choose(({ app }) => reset(app, email)));
  family
    .command("reencrypt")
    .description("seal all secrets with the first of SECOND_FACTOR_KEYS; then the others can go")
    .action(() => choose(({ app }) => encryptFactorsAgain(app)));
}

async function reset(app: AppContext, email: string): Promise<Answer> {
  const changed = await resetFactors(app, email);
  return {
    text: changed
      ? `${email} signs in with the password alone; every session has ended, and a mail says so.`
      : `${email} has no second factor.`,
    data: { email, changed },
  };
}

async function encryptFactorsAgain(app: AppContext): Promise<Answer> {
  const sealed = await reencryptFactors(app);
  return { text: `${sealed} sealed anew, with the first key.`, data: { sealed } };
}
