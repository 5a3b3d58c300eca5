import { type Command, Option } from "@commander-js/extra-typings";
import {
  createConfirmedAccount,
  createPasswordLink,
} from "../../app/accounts/sign-up/sign-up.server.tsx";
import { accountForm } from "../../app/accounts/forms.server.ts";
import { requestPasswordReset } from "../../app/accounts/password-reset/reset-password.server.tsx";
import { type StaffRole, staffRoleNames } from "../../app/accounts/roles.ts";
import { formatLinkLifetime } from "../../app/accounts/rules.ts";
import { Invalid } from "../../app/platform/errors.ts";
import type { Answer, Choose, Operator } from "./command.ts";

type Options = {
  name: string;
  role?: StaffRole[] | undefined;
  passwordStdin?: true | undefined;
  link?: "print" | "mail" | undefined;
};

/** Adds the commands that create accounts. */
export function addUserCommands(program: Command, choose: Choose): void {
  program
    .command("user")
    .description("accounts")
    .command("create")
    .description("create a confirmed account; prompts for its password by default")
    .argument("<email>")
    .requiredOption("--name <full name>", "the person's full name")
    .addOption(new Option("--role <role...>", "one or more roles").choices(staffRoleNames))
    .option("--password-stdin", "read the password from the first line of standard input")
    .addOption(
      new Option("--link <way>", "no password; print or email a link to choose one")
        .choices(["print", "mail"])
        .conflicts("passwordStdin"),
    )
    .action((email, options) => choose((operator) => create(operator, email, options)));
}

async function create(operator: Operator, address: string, options: Options): Promise<Answer> {
  const { app, readPassword } = operator;
  const { name: fullName, role = [], passwordStdin, link } = options;
  const password = link ? null : await readPassword(passwordStdin ? "stdin" : "terminal");
  const account = parseAccount({ email: address, fullName, password });
  const roles = [...new Set(role)];
  const { id } = await createConfirmedAccount(app.db, { ...account, roles });
  const { email } = account;
  const summary = `${email} has an account${roles.length > 0 ? ` with the role ${roles.join(", ")}` : ""}`;
  const data = { id, email, fullName: account.fullName, roles };
  if (link === "print") {
    const url = await createPasswordLink(app, id);
    const usage = `They can choose a password here, once, within ${formatLinkLifetime("recovery")}:\n${url}`;
    return { text: `${summary}. ${usage}`, data: { ...data, link: url } };
  }
  if (link === "mail") {
    await requestPasswordReset(app.db, app.config, email);
    return { text: `${summary}. We'll email them a link to choose a password.`, data };
  }
  return { text: `${summary} and can log in.`, data };
}

function parseAccount(input: { email: string; fullName: string; password: string | null }) {
  const account = accountForm.safeParse(input);
  if (account.success) return account.data;
  const { issues } = account.error;
  throw new Invalid(
    Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message])),
  );
}
