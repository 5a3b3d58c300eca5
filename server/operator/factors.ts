import type { Command } from "@commander-js/extra-typings";
import { reencryptFactors, resetFactors } from "../../app/accounts/factor-changes.server.tsx";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import { reencryptPans } from "../../app/review-staff/earnings/pan.server.ts";
import type { Answer, Choose } from "./command.ts";

export function addFactorCommands(program: Command, choose: Choose): void {
  const family = program.command("factor").description("second factors");
  family
    .command("reset")
    .description("remove a lost second factor and end all sessions; first make sure who is asking")
    .argument("<email>")
    .action((email) => choose(({ app }) => reset(app, email)));
  family
    .command("reencrypt")
    .description(
      "encrypt all secrets with the first of SECOND_FACTOR_KEYS, so that you can remove the others",
    )
    .action(() => choose(({ app }) => encryptFactorsAgain(app)));
}

async function reset(app: AppContext, email: string): Promise<Answer> {
  const changed = await resetFactors(app, email);
  return {
    text: changed
      ? `${email} now logs in with only a password. All their sessions have ended, and we've emailed them.`
      : `${email} has no second factor.`,
    data: { email, changed },
  };
}

async function encryptFactorsAgain(app: AppContext): Promise<Answer> {
  const sealed = (await reencryptFactors(app)) + (await reencryptPans(app));
  return { text: `Encrypted ${sealed} secrets with the first key.`, data: { sealed } };
}
