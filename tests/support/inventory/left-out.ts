import { escapePattern } from "./titles.ts";

/**
 * Tests that `npm test` leaves to `npm run test:exhaustive`: each is slow, and another test of `npm test`
 * finds the same faults.
 */
type LeftOut = {
  file: string;
  /** The beginning of the test's title. */
  title: string;
  /** The test that stays: the beginning of its title, in the same file unless one is named. */
  coveredBy: { file: string; title: string };
};

export const leftOut: LeftOut[] = [
  ...rows("app/accounts/sign-in/sign-in.test.ts", {
    "however right the passwords are": "tests/bounds.test.ts: trying passwords",
  }),
  ...rows("app/files/inspect/document-process.test.ts", {
    "a million objects": "a page that unpacks twice",
    "pictures in pictures": "a page that unpacks twice",
  }),
  ...rows("app/files/render/render-file.test.ts", {
    "pages beyond 60 are not rendered, and told":
      "app/annotations/document-pages/pages.test.ts: both parts are rendered once",
    "a frame of 1,440 × 30,000 pixels": "a frame of 1,440 × 14,400 points",
  }),
  ...rows("app/files/inspect/check-content.test.ts", {
    "files made to keep the checks busy": "no bytes make the check fail",
    "no damage to a real file": "no bytes make the check fail",
  }),
  ...rows("app/files/long-lived-process.test.ts", {
    "it keeps no process from ending": "closing ends what is under way",
    "a job that needs too much memory": "a job that kills its process",
  }),
  ...rows("app/files/receive/form-uploads.test.ts", {
    "a form takes 50 MB":
      "app/files/receive/uploads.test.ts: 10 MB are accepted, one byte more is not",
  }),
  ...rows("app/files/receive/shared-uploads.test.ts", {
    "a connection that hangs lets go": "what had come when the connection was lost",
  }),
  ...rows("app/files/receive/uploads.test.ts", {
    "50 MB are accepted, one byte more is not": "10 MB are accepted, one byte more is not",
  }),
  ...rows("app/files/render/render-process.test.ts", {
    "a page that would be drawn for ever": "pages that are finished are kept",
    "a file whose picture makes": "after a crash of the engine the other pages",
    "a process that cannot be started": "a process that ends by itself",
  }),
  ...rows("app/files/s3-store.test.ts", {
    "what S3 says of a moment": "a service that speaks no TLS",
  }),
  ...rows("app/mail/delivery.test.ts", {
    "a mail under way when its process is killed": "two processes at once send every mail once",
    "twenty mails go out behind one": "two processes at once send every mail once",
  }),
  ...rows("app/mail/transport.test.ts", {
    "a server that never says anything": "a server that drips its answer",
  }),
  ...rows("app/annotations/annotated-pdf/annotated-pdfs.test.ts", {
    "a file that cannot be written into":
      "app/annotations/annotated-pdf/make-annotated.test.ts: a file that cannot be annotated",
    "a process that takes too long":
      "app/files/render/render-process.test.ts: pages that are finished are kept",
  }),
  ...rows("app/annotations/document-pages/real-files.test.ts", {
    "a file that becomes a picture of two gigabytes gets a notice":
      "a file whose objects become two gigabytes gets a notice",
  }),
  ...rows("app/review-customer/reminders/reminders.test.ts", {
    "reminders cover more reviews": "admins get one reminder about a review that is unassigned",
  }),
  ...rows("db/demo/pages.test.ts", {
    "a file that was under way in a crash":
      "app/annotations/document-pages/pages.test.ts: rendering resumes after a crash",
    "after the tasks have run":
      "tests/operation/demo-pages.test.ts: a demonstration renders its first review",
  }),
  ...rows("server/embedded-postgres.test.ts", {
    "what a superuser made before": "the product is no superuser",
    "data survive a stop and a start": "data survive a server that is killed",
    "a server starts and ends while": "a fresh folder becomes a server",
    "copies that start at the same time": "a server that dies is started again",
    "a number in the server's file": "a server left behind by a killed parent",
    "after one of its processes was killed": "a server that dies is started again",
  }),
  ...rows("server/http/http-server.test.ts", {
    "a file that comes slowly": "who sends half a file and nothing more is not waited for",
  }),
  ...rows("server/operator/backup/backup.test.ts", {
    "rows that are written meanwhile": "a backup of a demonstration comes back",
    "a restore that was cut off": "a backup that was cut off",
    "sessions can be left out": "a backup of a demonstration comes back",
    "a database that somebody uses": "a place that is not empty is refused",
    "what the triggers copy": "a backup of a demonstration comes back",
    "a second backup copies only": "only so many backups are kept",
    "an authenticator app and a passkey": "a backup of a demonstration comes back",
    "a damaged file of an earlier backup": "one flipped byte, and a missing file",
  }),
  ...rows("server/operator/import/import.test.ts", {
    "a hundred thousand rows": "people, roles, jobs, reviews, orders and files",
  }),
  ...rows("server/operator/mail.test.ts", {
    "what waits and what was given up": "all that were given up are tried again",
  }),
  ...rows("server/operator/run.test.ts", {
    "a product is backed up while it runs":
      "server/operator/backup/backup.test.ts: a backup of a demonstration",
  }),
  ...rows("tests/attack/slow.test.ts", {
    "what a GET has no use for":
      "a form to a screen without an end is cut off before it costs anything",
    "a file of a visitor": "a form to a screen without an end is cut off before it costs anything",
  }),
  ...rows("tests/operation/crashes.test.ts", {
    "refund, killed at its COMMIT, which is done, and not told, is done once":
      "notice, killed at its COMMIT, which is done, and not told, is done once",
  }),
  ...rows("tests/operation/database-outages.test.ts", {
    "a process of the server that is killed": "a connection that is ended within a transaction",
    "a form that is sent meanwhile": "while the server is frozen",
  }),
  ...rows("tests/operation/many-processes.test.ts", {
    "when a process that answers":
      "tests/operation/crashes.test.ts: notice, killed at its COMMIT, which is done, and not told, is done once",
  }),
  ...rows("tests/operation/operation.test.ts", {
    "with a collector nothing is loaded that is not used":
      "with no collector nothing is loaded that is not used",
  }),
  ...rows("tests/operation/secrets-in-log.test.ts", {
    "a start that fails": "what fails behind tasks",
  }),

  ...rows("tests/journeys/accounts/accounts.spec.ts", {
    "a link for a new password that is used": "a forgotten password is replaced",
  }),
  ...rows("tests/journeys/accounts/second-factor.spec.ts", {
    "whoever never saw their recovery codes": "somebody sets up an authenticator app",
    "an app that another tab sets up": "somebody sets up an authenticator app",
  }),
  ...rows("tests/journeys/accounts/sessions.spec.ts", {
    "a page of somebody does nothing": "signing out in one tab ends the other",
    "who confirms an account while": "tests/journeys/accounts/accounts.spec.ts: a visitor signs up",
    "a profile that stands open": "signing out in one tab ends the other",
  }),
  ...rows("tests/journeys/everywhere/answers.spec.ts", {
    "what has words of its own": "every form stays as it was filled in",
    "a job board's list that cannot be read says so in its own words":
      "the board that cannot be read says so in its own words",
    "the subscription that cannot be read says so in its own words":
      "the board that cannot be read says so in its own words",
    "the profile that cannot be read says so in its own words":
      "the board that cannot be read says so in its own words",
  }),
  ...rows("tests/journeys/everywhere/lost-connection.spec.ts", {
    "what staff send and nobody answers": "a form that cannot be sent stays as it is",
  }),
  ...rows("tests/journeys/everywhere/clock.spec.ts", {
    "what stood open for days": "a review that lies open becomes overdue",
  }),
  ...rows("tests/journeys/everywhere/failures.spec.ts", {
    "a payment that cannot be read": "a payment that cannot begin",
    "an upload that the server cannot keep": "an address that cannot be kept",
  }),
  ...rows("tests/journeys/everywhere/starting.spec.ts", {
    "a port or a folder that is taken": "the product starts on its own PostgreSQL",
    "the command line explains itself": "server/operator/run.test.ts: help",
  }),
  ...rows("tests/journeys/everywhere/toasts.spec.ts", {
    "a swipe that was too short": "a message above a dialog can be reached, swiped",
    "a swipe past 50 pixels": "a message above a dialog can be reached, swiped",
  }),
  ...rows("tests/journeys/everywhere/within-reach.spec.ts", {
    "messages above a dialog": "tests/journeys/everywhere/toasts.spec.ts: a message above a dialog",
  }),
  ...rows("tests/journeys/reviews/annotated.spec.ts", {
    "where no PDF can be made yet":
      "app/annotations/annotated-pdf/annotated-pdfs.test.ts: the review's screen says that pages are being rendered",
  }),
  ...rows("tests/journeys/reviews/brief-saved.spec.ts", {
    "two tabs: what one asks": "what is asked without a connection",
    "what is written on is sent once": "what is asked without a connection",
    "what is written on while a payment": "what is asked without a connection",
    "what is written on is sent after": "what is asked without a connection",
  }),
  ...rows("tests/journeys/reviews/brief.spec.ts", {
    "an answer in two tabs": "tests/journeys/reviews/remarks-saved.spec.ts: two tabs",
  }),
  ...rows("tests/journeys/reviews/example-review.spec.ts", {
    "a pin and its remark light up": "remarks are read one after the other",
    "what is to be done first": "remarks are read one after the other",
  }),
  ...rows("tests/journeys/reviews/main-job.spec.ts", {
    "a docx made by an office program is taken as a resume": "sign up, find a job",
    "a doc made by an office program is taken as a resume": "sign up, find a job",
  }),
  ...rows("tests/journeys/reviews/payment.spec.ts", {
    "one review comes of a payment whose notice comes before":
      "one review comes of a payment whose notice comes twice",
    "one review comes of a payment whose notice comes late":
      "one review comes of a payment whose notice comes twice",
    "one review comes of a payment whose notice comes never": "a browser closed and no notice",
    "a cancelled payment reads as failed": "a declined card makes no review",
    "when the provider cannot be asked": "tests/money.test.ts: whatever becomes of payments",
  }),
  ...rows("tests/journeys/reviews/purchases.spec.ts", {
    "a portfolio is given as a file": "a combined review takes three steps",
  }),
  ...rows("tests/journeys/reviews/remarks-saved.spec.ts", {
    "a screen that was asked for before something was saved takes nothing of it away":
      "two tabs: an idle one follows",
    "a list that was asked for before something was saved takes nothing of it away":
      "two tabs: an idle one follows",
  }),
  ...rows("tests/journeys/reviews/reviewer.spec.ts", {
    "a second tab of a review that was submitted": "a draft in two tabs",
    "who submits a review after the role": "who submits a review that went",
    "who goes somewhere else": "a draft in two tabs",
    "what is typed on a review that went to nobody stays, is not sent over and over, and says why":
      "what is typed on a review that was submitted elsewhere stays, is not sent over and over, and says why",
  }),
  ...rows("tests/journeys/reviews/share.spec.ts", {
    "without scripts whole pages": "a review is drawn over, shared",
  }),
  ...rows("tests/journeys/reviews/uploads.spec.ts", {
    "a file that is saved anew while it waits for the connection is not waited for":
      "an upload survives a lost connection",
    "a file that is deleted while it waits for the connection is not waited for":
      "an upload survives a lost connection",
    "a file that was taken out": "an upload survives a lost connection",
    "files that were chosen and not sent": "nobody goes on while a file",
  }),
  ...rows("tests/journeys/reviews/shortcuts.spec.ts", {
    "where the browser refuses":
      "with single keys off the workspace ignores ? and N, also after a reload",
    "without scripts there is no button":
      "tests/journeys/everywhere/every-screen.spec.ts: every link, button and field",
    "an open menu keeps":
      "app/annotations/shortcuts/shortcuts.test.ts: no key acts below a dialog or a menu",
    "the keys that turn pages":
      "app/annotations/shortcuts/shortcuts.test.ts: every key of %s matches its event",
  }),
  ...rows("tests/journeys/staff/admin-reviews.spec.ts", {
    "whatever an address sorts by": "ticked reviews are assigned; a filter",
  }),
  ...rows("tests/journeys/staff/admin-screens.spec.ts", {
    "what was written and refused": "a payment to look into is settled",
  }),
  ...rows("tests/journeys/staff/job-management.spec.ts", {
    "what was typed for a listing": "of two people who edit one listing",
    "a god admin finds and edits": "an adder creates, edits",
    "without scripts a listing":
      "app/jobs/manage/job-management.test.ts: a new listing leads to the top",
  }),
  ...rows("tests/journeys/staff/review-dialogs.spec.ts", {
    "a dialog of /admin/reviews/assigned lies over the list again after a reload":
      "a dialog of /admin/reviews lies over the list again after a reload",
    "a dialog of /admin/reviews/completed lies over the list again after a reload":
      "a dialog of /admin/reviews lies over the list again after a reload",
  }),
];

/** Matches the title of every test that is not left out, for Vitest. */
export function notLeftOut(): RegExp {
  const titles = leftOut
    .filter(({ file }) => !isJourney(file))
    .map(({ title }) => escapePattern(title));
  return new RegExp(`^(?!(?:${titles.join("|")}))`);
}

/** Match the journeys that are left out, for Playwright: it compares with file and title in one line. */
export function journeysLeftOut(): RegExp[] {
  return leftOut
    .filter(({ file }) => isJourney(file))
    .map(
      ({ file, title }) =>
        new RegExp(`${escapePattern(file.split("/").at(-1)!)} .*${escapePattern(title)}`),
    );
}

/** @param titles of tests of this file, each with the test that stays: "title", or "path: title" of another file */
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
