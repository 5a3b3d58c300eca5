/** A test of `npm test`, by its file and its title in the source. */
export type NamedTest = { file: string; title: string };

/** A fault put into the code to check that a test finds it. */
export type Mutation = {
  /** The fault that users would see, in one sentence. */
  name: string;
  file: string;
  /** Occurs exactly once in the file. */
  before: string;
  after: string;
  /** The test that must fail by an assertion. */
  test: NamedTest;
};

/**
 * The faults that `npm run mutations` creates, one of each kind. docs/testing.md has a row for each. If the code
 * changes, update `before` and `after` here. A fault that no test finds needs a test.
 */
export const mutations: readonly Mutation[] = [
  // Money
  {
    name: "A refund can still be requested at the moment the two days end",
    file: "app/review-customer/refunds/terms.ts",
    before: "if (!until || until <= moment)",
    after: "if (!until || until < moment)",
    test: {
      file: "app/review-customer/refunds/terms.test.ts",
      title:
        "a delivered review can be refunded until two days have passed, and not at that moment",
    },
  },
  {
    name: "An invoice is written outside of the transaction that settles its order",
    file: "app/payments/settle-order.server.ts",
    before: "await createInvoice(tx, orderId)",
    // To wait for it would deadlock.
    after: "void createInvoice(db, orderId).catch(() => {})",
    test: {
      file: "tests/invoices.test.ts",
      title: "two processes with cut connections leave no gap, no repetition and no wrong document",
    },
  },
  {
    name: "A financial year ends at midnight in London, not in India",
    file: "app/payments/document-numbers.server.ts",
    before: "now() at time zone 'Asia/Kolkata'",
    after: "now() at time zone 'UTC'",
    test: {
      file: "app/payments/invoices.test.ts",
      title: "a financial year ends at 18:30 UTC on March 31, in a session in %s",
    },
  },
  {
    name: "A payment of another amount pays the order",
    file: "app/payments/decide.ts",
    before: "if (verification.amountPaise !== order.amountPaise) return wrongAmount;",
    after: "",
    test: {
      file: "app/payments/settle-order.test.ts",
      title: "a wrong amount delivers nothing and is reported to support once",
    },
  },
  {
    name: "The signature of a payment callback is not checked",
    file: "app/payments/payu.server.ts",
    before: "if (!isGenuine(settings, fields)) return null;",
    after: "",
    test: {
      file: "app/payments/payu.test.ts",
      title: "is rejected if any bit of a signed field was changed",
    },
  },
  {
    name: "An order is marked as paid without waiting for its delivery (a missing await)",
    file: "app/payments/settle-order.server.ts",
    before: "await payments.deliver(tx, settled)",
    after: "void payments.deliver(tx, settled)",
    test: {
      file: "app/payments/settle-order.test.ts",
      title: "the order is unchanged and due for another check soon",
    },
  },
  {
    name: "Two payments for the same materials at the same moment miss each other (a missing lock)",
    file: "app/review-customer/buy/create-paid-review.server.ts",
    before:
      "await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`paid:${draftId}`}, 0))`);",
    after: "",
    test: {
      file: "app/review-customer/buy/create-paid-review.test.ts",
      title:
        "a second payment for the same materials makes a second review, and its buyer gets one email",
    },
  },
  {
    name: "A review's due date counts from the delivery of the order, not from the payment",
    file: "app/review-customer/buy/create-paid-review.server.ts",
    before: "new Date(settledAt.getTime() +",
    after: "new Date(now().getTime() +",
    test: {
      file: "app/review-customer/buy/create-paid-review.test.ts",
      title: "a %s is promised for %d hours after it was paid",
    },
  },

  // Permissions
  {
    name: "Anyone who is signed in can move a due date, because the command does not check the permission",
    file: "app/review-staff/assign/extend-due-date.server.ts",
    before: `authorize(actor, "review.extend");`,
    after: `if (!actor) authorize(actor, "review.extend");`,
    test: { file: "tests/commands.test.ts", title: "only the people in its row can run $name" },
  },
  {
    name: "A customer can open another customer's review by its id",
    file: "app/review-customer/result/own-reviews.server.ts",
    before: "and(eq(serviceReviews.id, id), eq(serviceReviews.userId, actor.id))",
    after: "eq(serviceReviews.id, id)",
    test: {
      file: "app/review-customer/result/own-reviews.test.ts",
      title: "another person's review, a missing review and an invalid id get the same answer",
    },
  },
  {
    name: "A change of priority leaves no audit event",
    file: "app/review-staff/assign/set-priority.server.ts",
    before: "await tx.update(serviceReviews).set({ priority })",
    after: "return void await tx.update(serviceReviews).set({ priority })",
    test: {
      file: "app/review-staff/workspace/review-work.test.ts",
      title: "an admin's change of priority is in the audit trail",
    },
  },

  // Accounts
  {
    name: "Sessions stay open after a password reset",
    file: "app/accounts/password-reset/reset-password.server.tsx",
    before: "await revokeUserSessions(tx, userId);",
    after: "",
    test: {
      file: "app/accounts/accounts.test.ts",
      title: "a password reset consumes the link, ends all sessions and emails the owner",
    },
  },
  {
    name: "Tokens of sessions and links are stored as they are, not hashed",
    file: "app/accounts/session.server.ts",
    before: `return createHash("sha256").update(token).digest("hex");`,
    after: "return token;",
    test: {
      file: "app/accounts/session.test.ts",
      title: "the session cookie has 256 random bits, and the table only their hash",
    },
  },

  // Privacy
  {
    name: "Visitors get the contacts of a job",
    file: "app/jobs/listing/find-job.server.ts",
    before: "const [row] = actor\n",
    after: "const [row] = true\n",
    test: { file: "app/jobs/screens.test.ts", title: "the server sends a visitor no contacts" },
  },
  {
    name: "A customer reads what the reviewer has written before the review is completed",
    file: "app/review-customer/result/own-reviews.server.ts",
    before: `if (row.status !== "completed") return`,
    after: `if (row.status === "pending") return`,
    test: {
      file: "app/review-customer/result/own-reviews.test.ts",
      title: "the owner of a review that is %s gets no results",
    },
  },
  {
    name: "Search engines may index a shared review",
    file: "app/platform/signed-ids.server.ts",
    before: `"X-Robots-Tag": "noindex, nofollow",`,
    after: "",
    test: {
      file: "app/annotations/share/share.test.ts",
      title: "a shared page and its pictures are kept from caches, search engines and other sites",
    },
  },
  {
    name: "Another site can show a page in a frame, because the policy does not forbid it",
    file: "server/http/security.ts",
    before: `"base-uri 'none'",\n    "frame-ancestors 'none'",`,
    after: `"base-uri 'none'",`,
    test: {
      file: "server/http/security.test.ts",
      title: "every page has a content security policy and cannot be framed",
    },
  },

  // Text and lists
  {
    name: "A search takes % and _ for any letters",
    file: "app/platform/lists/list.server.ts",
    before: "like search_pattern(${letters})",
    after: "like '%' || search_form(${letters}) || '%'",
    test: {
      file: "app/jobs/find.test.ts",
      title: "a search for %s matches exactly these characters",
    },
  },
  {
    name: "A full last page of a list leads to an empty one (off by one)",
    file: "app/platform/lists/list.server.ts",
    before: "next: following.length > size ? next : null",
    after: "next: following.length >= size ? next : null",
    test: {
      file: "app/jobs/find.test.ts",
      title: "the last page has no next page, even if it is full",
    },
  },
  {
    name: "A limit counts an emoji as two characters",
    file: "app/platform/text/cut-text.ts",
    before: "end += text.codePointAt(end)! > 0xff_ff ? 2 : 1;",
    after: "end += 1;",
    test: { file: "app/jobs/rules.test.ts", title: "emoji count as one character each" },
  },
  {
    name: "A file of exactly the upload limit is refused (off by one)",
    file: "app/files/rules.ts",
    before: "bytes <= rule.maxBytes",
    after: "bytes < rule.maxBytes",
    test: {
      file: "app/files/rules.test.ts",
      title: "a file of exactly the limit is accepted, but not one byte more",
    },
  },

  // Answers and mail
  {
    name: "A job that does not exist is answered with another status than 404",
    file: "app/jobs/listing/job.screen.tsx",
    before: `if (listing.state === "missing") throw new NotFound(notFoundTitle);`,
    after: `if (found.state === "missing") throw data({ message: notFoundTitle }, { status: 200 });`,
    test: {
      file: "app/jobs/screens.test.ts",
      title: "a missing job has status 404 and an archived one 410, for everyone",
    },
  },
  {
    name: "Two processes send the same email, because its lease is ignored",
    file: "app/mail/deliver-mail.server.ts",
    before: ".where(and(open, isNotLeased()))\n    .returning();",
    after: ".where(open)\n    .returning();",
    test: {
      file: "app/mail/mail.test.ts",
      title: "an email that another process leased is sent only after the lease expires",
    },
  },

  // Screens
  {
    name: "A dialog that closes does not return the focus",
    file: "app/ui/feedback/dialog.tsx",
    before: "if (!open) element.current?.close();",
    after: `if (open || !element.current?.open) return;
    element.current.close();
    (document.activeElement as HTMLElement | null)?.blur();`,
    test: {
      file: "tests/journeys/everywhere/accessible-states.spec.ts",
      title: "dialogs trap and return focus, and the open menu is accessible",
    },
  },
  {
    name: "The button that closes a dialog has no name",
    file: "app/ui/feedback/dialog.tsx",
    before: `aria-label="Close"`,
    after: "",
    test: {
      file: "tests/journeys/everywhere/accessible-states.spec.ts",
      title: "dialogs trap and return focus, and the open menu is accessible",
    },
  },
  {
    name: "A reviewer's cards are wider than a phone",
    file: "app/review-staff/workspace/dashboard.module.css",
    before: "minmax(min(100%, 20rem), 1fr)",
    after: "minmax(26rem, 1fr)",
    test: {
      file: "tests/journeys/staff/staff-on-phones.spec.ts",
      title: "a reviewer's cards fit a phone and open the review",
    },
  },
];
