import { escapePattern } from "./titles.ts";

/**
 * Slow tests that only `npm run test:exhaustive` runs. Another test of `npm test` finds the same faults.
 */
type LeftOut = {
  file: string;
  /** The start of the test's title. */
  title: string;
  /** The test that finds the same faults, by the start of its title. */
  coveredBy: { file: string; title: string };
};

export const leftOut: LeftOut[] = [
  ...rows("app/accounts/sign-in/sign-in.test.ts", {
    "a network can sign in only": "tests/bounds.test.ts: trying passwords",
  }),
  ...rows("app/files/inspect/document-process.test.ts", {
    "a million objects": "a page that unpacks twice",
    "pictures in pictures": "a page that unpacks twice",
  }),
  ...rows("app/files/render/render-file.test.ts", {
    "pages beyond 60 are not rendered":
      "app/annotations/document-pages/pages.test.ts: both parts are rendered once",
    "a frame of 1,440 × 30,000 pixels": "a frame of 1,440 × 14,400 points",
  }),
  ...rows("app/files/inspect/check-content.test.ts", {
    "files that attack the checks": "random bytes never crash the check",
    "damaged real files": "random bytes never crash the check",
  }),
  ...rows("app/files/long-lived-process.test.ts", {
    "the child process ends with its parent": "closing ends the current job",
    "a job that throws or needs too much memory": "a job that kills its process",
  }),
  ...rows("app/files/receive/form-uploads.test.ts", {
    "a form takes 50 MB":
      "app/files/receive/uploads.test.ts: 10 MB are accepted, but not one byte more",
  }),
  ...rows("app/files/receive/shared-uploads.test.ts", {
    "a hanging connection releases the upload": "bytes received before a lost connection",
  }),
  ...rows("app/files/receive/uploads.test.ts", {
    "50 MB are accepted, but not one byte more": "10 MB are accepted, but not one byte more",
  }),
  ...rows("app/files/render/render-process.test.ts", {
    "an endless page": "finished pages are kept",
    "a picture that crashes the engine": "after an engine crash, the other pages",
    "a process that can't start": "a process that ends by itself",
  }),
  ...rows("app/files/s3-store.test.ts", {
    "temporary S3 errors": "every call to a service without TLS",
  }),
  ...rows("app/mail/delivery.test.ts", {
    "after a process is killed while sending": "two processes send every email once",
    "one slow email delays neither": "two processes send every email once",
  }),
  ...rows("app/annotations/annotated-pdf/annotated-pdfs.test.ts", {
    "a file that cannot be written into":
      "app/annotations/annotated-pdf/make-annotated.test.ts: a file that cannot be annotated",
    "a process that takes too long":
      "app/files/render/render-process.test.ts: finished pages are kept",
  }),
  ...rows("app/annotations/document-pages/real-files.test.ts", {
    "a file that becomes a picture of two gigabytes gets a notice":
      "a file whose objects become two gigabytes gets a notice",
  }),
  ...rows("app/review-customer/reminders/reminders.test.ts", {
    "reminders cover more reviews": "admins get one reminder about a review that is unassigned",
  }),
  ...rows("server/embedded-postgres.test.ts", {
    "the next start gives the objects": "the product is not a superuser",
    "data survives a restart": "data survives a killed server",
    "a server starts and stops while": "a new server supports Hindi",
    "copies that start at the same time": "a server that dies is restarted",
    "a process id in the server's file": "a server whose parent was killed",
    "a server stays in use after": "a server that dies is restarted",
  }),
  ...rows("server/http/http-server.test.ts", {
    "a slow upload gets more time": "a client that stops halfway through a file is disconnected",
  }),
  ...rows("server/operator/backup/backup.test.ts", {
    "a transaction during the backup is included": "a restored demo has every row",
    "an interrupted restore changes no row": "an interrupted backup is not listed",
    "sessions can be left out": "a restored demo has every row",
    "a restore refuses a database in use": "a restore refuses a database or store",
    "triggers work after a restore": "a restored demo has every row",
    "a second backup copies only": "--keep deletes older backups",
    "authenticator apps and passkeys work": "a restored demo has every row",
    "the next backup copies a damaged file": "a flipped byte or a missing file",
  }),
  ...rows("server/operator/mail.test.ts", {
    "waiting and failed email is listed": "--all retries every failed email",
  }),
  ...rows("server/operator/run.test.ts", {
    "a running product can be backed up": "server/operator/backup/backup.test.ts: a restored demo",
  }),
  ...rows("tests/attack/slow.test.ts", {
    "a GET with a body": "a form to a screen without an end is cut off before it uses much memory",
    "a visitor's file": "a form to a screen without an end is cut off before it uses much memory",
  }),
  ...rows("tests/operation/crashes.test.ts", {
    "refund takes effect once after a kill at COMMIT (committed, but not answered)":
      "notice takes effect once after a kill at COMMIT (committed, but not answered)",
  }),
  ...rows("tests/operation/database-outages.test.ts", {
    "a killed server process": "a terminated connection",
    "a form gets the error page while": "%s responds while the database is frozen",
  }),
  ...rows("tests/operation/many-processes.test.ts", {
    "killing a web process and the worker":
      "tests/operation/crashes.test.ts: notice takes effect once after a kill at COMMIT (committed, but not answered)",
  }),
  ...rows("tests/operation/operation.test.ts", {
    "with a collector, unused libraries are not loaded":
      "with no collector, unused libraries are not loaded",
  }),
  ...rows("tests/operation/secrets-in-log.test.ts", {
    "a failed start": "failures of tasks",
  }),

  ...rows("tests/journeys/accounts/accounts.spec.ts", {
    "a reset link that was used": "a forgotten password is replaced",
  }),
  ...rows("tests/journeys/accounts/second-factor.spec.ts", {
    "a person who never received their recovery codes": "a person sets up an authenticator app",
    "an open tab notices an app": "a person sets up an authenticator app",
  }),
  ...rows("tests/journeys/accounts/sessions.spec.ts", {
    "a page does nothing for another person": "signing out in one tab signs out the other",
    "confirming an account signs in":
      "tests/journeys/accounts/accounts.spec.ts: a visitor signs up",
    "an open profile and the header": "signing out in one tab signs out the other",
  }),
  ...rows("tests/journeys/everywhere/answers.spec.ts", {
    "screens with their own error messages": "every form keeps its text",
    "a job board's list shows its own message when it cannot be loaded":
      "the board shows its own message when it cannot be loaded",
    "the subscription shows its own message when it cannot be loaded":
      "the board shows its own message when it cannot be loaded",
    "the profile shows its own message when it cannot be loaded":
      "the board shows its own message when it cannot be loaded",
  }),
  ...rows("tests/journeys/everywhere/lost-connection.spec.ts", {
    "staff forms without an answer": "a form that cannot be sent keeps its text",
  }),
  ...rows("tests/journeys/everywhere/clock.spec.ts", {
    "a screen left open for days": "an open review becomes overdue",
  }),
  ...rows("tests/journeys/everywhere/failures.spec.ts", {
    "a payment that cannot be loaded": "a payment that cannot start",
    "an upload that the server cannot store": "a portfolio link that cannot be saved",
  }),
  ...rows("tests/journeys/everywhere/starting.spec.ts", {
    "a port or folder in use": "the product starts with its own PostgreSQL",
    "the command line shows help": "server/operator/run.test.ts: help",
  }),
  ...rows("tests/journeys/everywhere/toasts.spec.ts", {
    "a swipe that is too short": "a toast above a dialog can be reached, swiped",
    "a swipe of more than 50 pixels": "a toast above a dialog can be reached, swiped",
  }),
  ...rows("tests/journeys/everywhere/within-reach.spec.ts", {
    "toasts above a dialog": "tests/journeys/everywhere/toasts.spec.ts: a toast above a dialog",
  }),
  ...rows("tests/journeys/reviews/annotated.spec.ts", {
    "the result explains why a PDF":
      "app/annotations/annotated-pdf/annotated-pdfs.test.ts: the review's screen says that pages are being rendered",
  }),
  ...rows("tests/journeys/reviews/brief-saved.spec.ts", {
    "two tabs: a question saved in one": "a question typed offline",
    "an edit made during a save is sent": "a question typed offline",
    "text typed while a payment": "a question typed offline",
    "an edit made during a save is also": "a question typed offline",
  }),
  ...rows("tests/journeys/reviews/brief.spec.ts", {
    "an answer in two tabs": "tests/journeys/reviews/remarks-saved.spec.ts: two tabs",
  }),
  ...rows("tests/journeys/reviews/example-review.spec.ts", {
    "a pin and its remark highlight": "remarks are read by keyboard",
    "a priority links to its remark": "remarks are read by keyboard",
  }),
  ...rows("tests/journeys/reviews/main-job.spec.ts", {
    "a docx made by an office program is accepted as a resume": "a visitor signs up, finds a job",
    "a doc made by an office program is accepted as a resume": "a visitor signs up, finds a job",
  }),
  ...rows("tests/journeys/reviews/payment.spec.ts", {
    "a payment creates one review when its callback comes before":
      "a payment creates one review when its callback comes twice",
    "a payment creates one review when its callback comes late":
      "a payment creates one review when its callback comes twice",
    "a payment creates one review when its callback comes never": "without a return or a callback",
    "a cancelled payment shows as failed": "a declined card creates no review",
    "a signed return settles an order": "tests/money.test.ts: no payment is lost",
  }),
  ...rows("tests/journeys/reviews/purchases.spec.ts", {
    "a portfolio is sent as a file": "a combined review takes three steps",
  }),
  ...rows("tests/journeys/reviews/remarks-saved.spec.ts", {
    "a stale screen does not undo later saves": "two tabs: an idle tab updates",
    "a stale list does not undo later saves": "two tabs: an idle tab updates",
  }),
  ...rows("tests/journeys/reviews/reviewer.spec.ts", {
    "a second tab of a submitted review": "a draft in two tabs",
    "submitting without the reviewer role": "submitting a reassigned review",
    "a reviewer who navigates away": "a draft in two tabs",
    "text typed on a review that was unassigned stays, with the reason it isn't saved":
      "text typed on a review that was submitted elsewhere stays, with the reason it isn't saved",
  }),
  ...rows("tests/journeys/reviews/share.spec.ts", {
    "whole pages are blacked out": "a review is blacked out and shared",
  }),
  ...rows("tests/journeys/reviews/uploads.spec.ts", {
    "an upload stops if its file is changed while offline": "an upload survives a lost connection",
    "an upload stops if its file is deleted while offline": "an upload survives a lost connection",
    "a removed file can be": "an upload survives a lost connection",
    "leaving with chosen but unsent files": "a replacement upload blocks",
  }),
  ...rows("tests/journeys/reviews/shortcuts.spec.ts", {
    "without browser storage":
      "the workspace ignores ? and N with single keys off, also after a reload",
    "without scripts there is no shortcuts button":
      "tests/journeys/everywhere/every-screen.spec.ts: every link, button and field",
    "an open menu blocks":
      "app/annotations/shortcuts/shortcuts.test.ts: no key acts below a dialog or a menu",
    "the keys for pages":
      "app/annotations/shortcuts/shortcuts.test.ts: every key of %s matches its event",
  }),
  ...rows("tests/journeys/staff/admin-reviews.spec.ts", {
    "the sort menu shows": "an admin assigns selected reviews",
  }),
  ...rows("tests/journeys/staff/admin-screens.spec.ts", {
    "a rejected note for one payment": "an admin resolves a payment",
  }),
  ...rows("tests/journeys/staff/job-management.spec.ts", {
    "the form of a listing deleted": "the second of two people who edit",
    "a god admin finds and edits": "an adder creates, edits",
    "a listing can be created, edited and deleted without scripts":
      "app/jobs/manage/job-management.test.ts: a new listing leads to the top",
  }),
  ...rows("tests/journeys/staff/review-dialogs.spec.ts", {
    "a dialog of /admin/reviews/assigned is open again after a reload":
      "a dialog of /admin/reviews is open again after a reload",
    "a dialog of /admin/reviews/completed is open again after a reload":
      "a dialog of /admin/reviews is open again after a reload",
  }),
];

/** Returns a pattern for Vitest that matches the titles of all tests that are not left out. */
export function notLeftOut(): RegExp {
  const titles = leftOut
    .filter(({ file }) => !isJourney(file))
    .map(({ title }) => escapePattern(title));
  return new RegExp(`^(?!(?:${titles.join("|")}))`);
}

/** Returns patterns for Playwright that match the file and title of journeys that are left out. */
export function journeysLeftOut(): RegExp[] {
  return leftOut
    .filter(({ file }) => isJourney(file))
    .map(
      ({ file, title }) =>
        new RegExp(`${escapePattern(file.split("/").at(-1)!)} .*${escapePattern(title)}`),
    );
}

/** @param titles starts of titles, each with the covering test: "title", or "path: title" in another file */
function rows(file: string, titles: Record<string, string>): LeftOut[] {
  return Object.entries(titles).map(([title, stays]) => {
    const [, otherFile, otherTitle] = /^(\S+\.(?:test|spec)\.tsx?): (.+)$/.exec(stays) ?? [];
    return {
      file,
      title,
      coveredBy: { file: otherFile ?? file, title: otherTitle ?? stays },
    };
  });
}

function isJourney(file: string): boolean {
  return file.startsWith("tests/journeys/");
}
