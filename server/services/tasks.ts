import { deleteExpiredLinks } from "../../app/accounts/one-time-links.server.ts";
import { deleteExpiredChallenges } from "../../app/accounts/passkeys/passkeys.server.ts";
import { deleteExpiredHalfSignIns } from "../../app/accounts/second-factor/second-step.server.ts";
import { deleteExpiredSessions } from "../../app/accounts/session.server.ts";
import { deleteExpiredInterruptedForms } from "../../app/accounts/interrupted-forms.server.ts";
import { deleteUnconfirmedAccounts } from "../../app/accounts/sign-up/sign-up.server.tsx";
import { deleteExpiredQuestions } from "../../app/checks/question/ask-contacts.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import type { Partials } from "../../app/files/receive/partials.server.ts";
import type { RenderProcess } from "../../app/files/render/render-process.server.ts";
import { createFileTasks } from "../../app/files/clean-up/file-tasks.server.ts";
import { createDeliverMailTask, deleteExpiredMails } from "../../app/mail/deliver-mail.server.ts";
import { deleteOldFigures } from "../../app/jobs/figures/figures.server.ts";
import { updateBoardCountsTask } from "../../app/jobs/filters/board-counts.server.ts";
import { updateSearchWordsTask } from "../../app/jobs/search-words/update-search-words.server.ts";
import { createCheckJobsTask } from "../../app/checks/lapse/check-jobs-task.server.ts";
import type { MailTransport } from "../../app/mail/transport.server.ts";
import {
  deleteOldOrders,
  deleteOldPersonalDetails,
} from "../../app/payments/refunds/expired-orders.server.ts";
import { checkOrders } from "../../app/payments/check-orders.server.ts";
import type { Payments } from "../../app/payments/payments.server.ts";
import { sendRefunds } from "../../app/payments/refunds/send-refunds.server.ts";
import { day, now } from "../../app/platform/clock.ts";
import type { Config } from "../../app/platform/config.server.ts";
import type { Database } from "../../app/platform/database.server.ts";
import { deleteOldLeases } from "../../app/platform/leases.server.ts";
import { deleteOldTries } from "../../app/platform/rate-limit.server.ts";
import type { Task } from "../../app/platform/tasks.server.ts";
import {
  type AnnotatedPdfs,
  sweepAnnotatedPdfs,
} from "../../app/annotations/annotated-pdf/annotated-pdfs.server.ts";
import {
  deleteOutdatedPages,
  createRenderPagesTask,
} from "../../app/annotations/document-pages/render-pages.server.ts";
import { deleteOldDrafts } from "../../app/review-staff/hand-back/drafts.server.ts";
import { deleteOldPans } from "../../app/review-staff/earnings/pan.server.ts";
import { createRemindersTask } from "../../app/review-customer/reminders/reminders.server.ts";
import {
  createCopyPagesTask,
  sweepShares,
} from "../../app/annotations/share/shared-pages.server.ts";
import { deleteClosedShares } from "../../app/annotations/share/shares.server.ts";
import { deleteOldFileViews } from "../../app/reviews/file-views/file-views.server.ts";
import { listUnreferencedFiles } from "../../app/reviews/unreferenced-files.server.ts";
import { createMessageDeadlinesTask } from "../../app/support/answer/deadlines.server.tsx";
import { deleteExpiredAddressChanges } from "../../app/accounts/details/details.server.tsx";
import { createCloseUnusedTask } from "../../app/own-data/closing/unused-accounts.server.tsx";
import { createPurgeAccountsTask } from "../../app/own-data/closing/purge-accounts.server.ts";
import { deleteUnconfirmedCompanies } from "../../app/companies/expired-companies.server.ts";
import { deleteExpiredReports } from "../../app/checks/expired-reports.server.ts";
import { deleteExpiredAlerts } from "../../app/seekers/alerts/expired-alerts.server.ts";
import { createClosingMailsTask } from "../../app/seekers/closing-mails/send-closing-mails.server.ts";
import { updateReplyRecordsTask } from "../../app/seekers/reply-records/update-reply-records.server.ts";
import { createSendAlertsTask } from "../../app/seekers/alerts/send-alerts.server.ts";
import {
  createMakeExportsTask,
  sweepExports,
} from "../../app/own-data/export/make-exports.server.tsx";
import { deleteOldExports } from "../../app/own-data/export/exports.server.ts";
import { createMakeCopyTask } from "../../app/review-customer/black-out/make-copy.server.ts";
import type { Leases } from "../../app/platform/leases.server.ts";
import { deleteExpiredMessages } from "../../app/support/send-message.server.tsx";

/** The services that tasks need besides the database. */
type TaskParts = {
  config: Config;
  transport: MailTransport;
  payments: Payments;
  store: FileStore;
  partials: Partials;
  renderer: RenderProcess;
  leases: Leases;
  pdfs: Pick<AnnotatedPdfs, "make">;
};

/** Creates every background task of the product. */
// oxlint-disable-next-line typescript/no-explicit-any -- each task has its own type of data
export function createTasks(parts: TaskParts): Task<any>[] {
  const { config, transport, payments, store, partials, renderer, leases, pdfs } = parts;
  return [
    createDeliverMailTask(transport, new URL(config.origin).hostname),
    {
      name: "forget-expired",
      schedule: "17 * * * *",
      run: async (_data, { db }) => void (await deleteExpired(db, config)),
    },
    checkOrders(config, payments),
    updateBoardCountsTask,
    updateSearchWordsTask,
    updateReplyRecordsTask,
    createCheckJobsTask(config),
    createSendAlertsTask(config),
    createClosingMailsTask(config),
    createRemindersTask(config),
    createMessageDeadlinesTask(config),
    sendRefunds(config, payments),
    createPurgeAccountsTask(store),
    createCloseUnusedTask(config),
    createRenderPagesTask({ config, store, renderer }),
    createCopyPagesTask(store),
    createMakeCopyTask(store),
    {
      name: "sweep-shares",
      schedule: "53 21 * * *",
      run: async (_data, { db }) =>
        void (await sweepShares(db, store, new Date(now().getTime() - day))),
    },
    ...createFileTasks({ store, partials, unreferencedFiles: listUnreferencedFiles }),
    {
      name: "sweep-annotated",
      schedule: "11 * * * *",
      async run(_data, { db, log }) {
        const annotated = await sweepAnnotatedPdfs(db, store);
        if (annotated > 0) log.info({ annotated }, "annotated PDFs swept");
      },
    },
    createMakeExportsTask({ config, store, pdfs, leases }),
    {
      name: "sweep-exports",
      schedule: "29 * * * *",
      async run(_data, { db, log }) {
        const exports = await sweepExports(db, store);
        if (exports > 0) log.info({ exports }, "exports swept");
      },
    },
  ];
}

/** Deletes expired data, by kind. */
export const expiring: Record<string, (db: Database, config: Config) => Promise<number>> = {
  "counted tries": deleteOldTries,
  leases: deleteOldLeases,
  "held forms": deleteExpiredInterruptedForms,
  sessions: deleteExpiredSessions,
  "signed challenges": deleteExpiredChallenges,
  "half sign-ins": deleteExpiredHalfSignIns,
  "mailed links": deleteExpiredLinks,
  "changed addresses": deleteExpiredAddressChanges,
  "unconfirmed accounts": deleteUnconfirmedAccounts,
  mails: deleteExpiredMails,
  "messages to us": deleteExpiredMessages,
  "reports on listings": deleteExpiredReports,
  "unconfirmed companies": deleteUnconfirmedCompanies,
  "questions to contacts": deleteExpiredQuestions,
  "figures of listings": deleteOldFigures,
  "pages of earlier renderers": deleteOutdatedPages,
  "links to reviews": deleteClosedShares,
  "job alerts": deleteExpiredAlerts,
  "handed back drafts": deleteOldDrafts,
  "exports of own data": deleteOldExports,
  "views of files": deleteOldFileViews,
  "personal details of orders": deleteOldPersonalDetails,
  "orders without an account": deleteOldOrders,
  "PANs of reviewers": deleteOldPans,
};

/**
 * Deletes expired data. A failure with one kind does not stop the others.
 *
 * @returns the number of deleted rows by kind.
 * @throws the first failure, after all kinds were tried.
 */
export async function deleteExpired(db: Database, config: Config): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const [kind, deleteRows] of Object.entries(expiring)) {
    try {
      deleted[kind] = await deleteRows(db, config);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}
