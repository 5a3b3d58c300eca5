import { Argument, type Command } from "@commander-js/extra-typings";
import { changeRole, listRoles } from "../../app/accounts/bans-and-roles.server.ts";
import { type StaffRole, staffRoleNames } from "../../app/accounts/roles.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { type Answer, type Choose, formatTable } from "./command.ts";

export function addRoleCommands(program: Command, choose: Choose): void {
  const family = program.command("roles").description("staff roles");
  family
    .command("list")
    .description("list everyone with a role")
    .action(() => choose(({ app }) => list(app.db)));
  for (const change of ["grant", "revoke"] as const) {
    family
      .command(change)
      .description(change === "grant" ? "give a role to a confirmed account" : "remove a role")
      .argument("<email>")
      .addArgument(new Argument("<role>").choices(staffRoleNames))
      .action((email, role) => choose(({ app }) => changeRoleByEmail(app.db, email, role, change)));
  }
}

async function list(db: Database): Promise<Answer> {
  const holders = await listRoles(db);
  const rows = holders.map(({ role, email, name }) => [role, `${email} (${name})`]);
  return { text: formatTable(rows) || "No one has a role.", data: holders };
}

async function changeRoleByEmail(
  db: Database,
  email: string,
  role: StaffRole,
  change: "grant" | "revoke",
): Promise<Answer> {
  const isChanged = await changeRole(db, email, role, change);
  const phrases = { grant: ["already has", "now has"], revoke: ["does not have", "no longer has"] };
  return {
    text: `${email} ${phrases[change][Number(isChanged)]} the role ${role}.`,
    data: { email, role, changed: isChanged },
  };
}
