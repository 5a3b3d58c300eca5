import { createDeliverMailTask } from "../../../app/mail/deliver-mail.server.ts";
import { createMailTransport } from "../../../app/mail/transport.server.ts";
import { openDatabase } from "../../../app/platform/database.server.ts";
import { createLog } from "../../../app/platform/log.server.ts";
import { startTasks } from "../../../app/platform/tasks.server.ts";

/** A process that only delivers email: `node mail-worker.ts <database> <mail server>`. */
const [databaseUrl, smtpUrl] = process.argv.slice(2) as [string, string];
const database = openDatabase(databaseUrl);
const transport = createMailTransport({ smtpUrl, mailFrom: "Naksha <hello@example.com>" });
const task = createDeliverMailTask(transport, "naksha.example");
await startTasks(database, [task], createLog("silent"));
