import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/** Every screen, grouped by audience. */
export default [
  index("site/home.screen.tsx"),
  route("theme", "site/theme.action.ts"),

  // About us and legal pages
  route("about", "site/about.screen.tsx"),
  route("trust", "site/trust/trust.screen.tsx"),
  route("accessibility", "site/accessibility.screen.tsx"),
  route("contact", "support/new-message.screen.tsx"),
  route("support/:token", "support/follow/support.screen.tsx"),
  route("faq", "support/faq.screen.tsx"),
  route("privacy", "support/privacy.screen.tsx"),
  route("privacy/notice", "consents/notice.screen.tsx"),
  route("terms", "support/terms.screen.tsx"),
  route("refund", "support/refund.screen.tsx"),

  // Accounts
  route("login", "accounts/sign-in/sign-in.screen.tsx"),
  route("login/second-step", "accounts/second-factor/second-step.screen.tsx"),
  route("login/passkey", "accounts/sign-in/sign-in-by-passkey.action.ts"),
  route("signup", "accounts/sign-up/sign-up.screen.tsx"),
  route("resend-confirmation", "accounts/sign-up/resend.screen.tsx"),
  route("account-confirmation", "accounts/sign-up/confirm-address.screen.tsx"),
  route("email-confirmation", "accounts/sign-up/confirm-address.screen.tsx", {
    id: "email-confirmation",
  }),
  route("forgot-password", "accounts/password-reset/forgot-password.screen.tsx"),
  route("reset-password", "accounts/password-reset/reset-password.screen.tsx"),
  route("reset-password/check", "accounts/password-reset/check-link.action.ts"),
  route("new-address/:token", "accounts/details/new-address.screen.tsx"),
  route("earlier-address/:token", "accounts/details/earlier-address.screen.tsx"),
  route("sign-in-again", "accounts/sign-in/sign-in-again.screen.tsx"),
  route("logout", "accounts/sign-in/sign-out.action.ts"),

  // Payments. The server answers the provider's posts to these paths before the router.
  route("payment-success", "payments/payment-result.screen.tsx"),
  route("payment-failure", "payments/payment-result.screen.tsx", { id: "payment-failure" }),

  // Jobs
  route("jobs", "jobs/board/job-board.screen.tsx"),
  route("jobs/removed", "checks/removed/removed.screen.tsx"),
  route("jobs/alerts", "seekers/alerts/new-alert.screen.tsx"),
  route("alerts/confirm/:token", "seekers/alerts/confirm-alert.screen.tsx"),
  // The server answers the one-click posts of mail programs before the router.
  route("alerts/stop/:token", "seekers/alerts/stop-alert.screen.tsx"),
  route("jobs/report/:token", "checks/report/confirm.screen.tsx"),
  route("jobs/:jobId", "jobs/listing/job.screen.tsx"),
  route("jobs/:jobId/portal", "jobs/listing/portal.action.ts"),
  route("jobs/:jobId/report", "checks/report/report.screen.tsx"),
  route("jobs/:jobId/save", "seekers/tracker/save.screen.tsx"),
  route("jobs/:jobId/message", "seekers/first-message/message.screen.tsx"),
  route("jobs/:jobId/message/link", "seekers/first-message/mail-link.action.ts"),
  route("check/:token", "checks/question/check.screen.tsx"),
  route("companies", "jobs/companies/companies.screen.tsx"),
  route("companies/:slug", "jobs/companies/company.screen.tsx"),

  // Employers
  route("post", "posting/post.screen.tsx"),

  // Reviews
  route("services", "review-customer/buy/services.screen.tsx"),
  route("services/example-review", "review-customer/example/example-review.screen.tsx"),
  route(
    "services/example-review/second-look",
    "review-customer/example/example-second-look.screen.tsx",
  ),
  route("services/resume-check", "review-customer/resume-check/resume-check.screen.tsx"),
  layout("signed-in.styles.tsx", [
    route("services/resume-review", "review-customer/buy/submission.screen.tsx", {
      id: "resume-review",
    }),
    route("services/portfolio-review", "review-customer/buy/submission.screen.tsx", {
      id: "portfolio-review",
    }),
    route("services/combined-review", "review-customer/buy/submission.screen.tsx", {
      id: "combined-review",
    }),
    route("services/resume-review/black-out", "review-customer/black-out/black-out.screen.tsx", {
      id: "resume-black-out",
    }),
    route("services/portfolio-review/black-out", "review-customer/black-out/black-out.screen.tsx", {
      id: "portfolio-black-out",
    }),
    route("services/combined-review/black-out", "review-customer/black-out/black-out.screen.tsx", {
      id: "combined-black-out",
    }),
    route("services/target-jobs", "reviews/brief/target-jobs.action.ts"),
    route("profile", "review-customer/result/profile.screen.tsx"),
    route("profile/changes", "review-customer/changes.action.ts"),
    route("profile/payments", "review-customer/payments/payments.screen.tsx"),
    route("profile/payments/:orderId", "review-customer/payments/receipt.screen.tsx"),
    route("profile/jobs", "seekers/tracker/tracker.screen.tsx"),
    route("profile/jobs/:trackedId", "seekers/tracker/tracked-job.screen.tsx"),
    route("profile/messages", "support/follow/own-messages.screen.tsx"),
    route("profile/sessions", "accounts/sessions/sessions.screen.tsx"),
    route("profile/passkeys", "accounts/passkeys/passkeys.screen.tsx"),
    route("profile/details", "accounts/details/details.screen.tsx"),
    route("profile/mails", "accounts/mail-choices/mail-choices.screen.tsx"),
    route("profile/alerts", "seekers/alerts/own-alerts.screen.tsx"),
    route("profile/data", "consents/data.screen.tsx"),
    route("profile/data/export", "own-data/export/export.screen.tsx"),
    route("profile/data/close", "own-data/closing/closing.screen.tsx"),
    route("profile/second-factor", "accounts/second-factor/second-factor.screen.tsx"),
    route("post/company", "companies/membership/company-form.screen.tsx"),
    route("post/company/:companyId/page", "companies/page/company-page.screen.tsx"),
    route("post/confirm/:token", "companies/membership/confirm-work-email.screen.tsx"),
    route("post/team", "companies/team/team.screen.tsx"),
    route("post/join/:token", "companies/team/join-company.screen.tsx"),
    route("post/listings", "posting/own/own-listings.screen.tsx"),
    route("post/:submissionId", "posting/own/draft.screen.tsx"),
    route("post/:submissionId/preview", "posting/own/preview.screen.tsx"),
    route("subscription", "subscriptions/subscription.screen.tsx"),
    route("service-review/:id?", "review-customer/result/review-result.screen.tsx"),
    route("service-review/:id/second-look", "review-customer/buy/submission.screen.tsx", {
      id: "second-look",
    }),
    route(
      "service-review/:id/second-look/black-out",
      "review-customer/black-out/black-out.screen.tsx",
      {
        id: "second-look-black-out",
      },
    ),
    route("service-review/:id/question", "review-customer/result/question.screen.tsx"),
    route("service-review/:id/comparison", "review-customer/result/comparison.screen.tsx"),
    route("service-review/:id/share", "annotations/share/share.screen.tsx"),
    route("shared/:token", "annotations/share/shared.screen.tsx"),
  ]),
  route("profile/jobs/listings", "seekers/tracker/own-listings.action.ts"),
  route("profile/jobs.csv", "seekers/tracker/tracker-file.action.ts"),
  route("profile/jobs/:trackedId/next-step.ics", "seekers/tracker/next-step-file.action.ts"),
  route("service-review/:id/remarks.csv", "review-customer/result/remarks-file.action.ts", {
    id: "remarks-csv",
  }),
  route("service-review/:id/remarks.json", "review-customer/result/remarks-file.action.ts", {
    id: "remarks-json",
  }),
  route("session", "accounts/sign-in/session-state.action.ts"),

  layout("staff.styles.tsx", [
    // Job-board staff
    layout("jobs/manage/job-board.guard.tsx", [
      route("job-board", "jobs/manage/job-management.screen.tsx"),
      route("job-board/checks", "checks/queue/check-queue.screen.tsx"),
    ]),

    // Reviewers
    layout("review-staff/workspace/reviewer.guard.tsx", [
      route("reviewer", "review-staff/workspace/dashboard.screen.tsx"),
      route("reviewer/earnings", "review-staff/earnings/earnings.screen.tsx"),
      route("reviewer/about-you", "reviews/reviewer-profile/about-you.screen.tsx"),
      route("reviewer/questions/:reviewId", "review-staff/workspace/question.screen.tsx"),
      route("reviewer/submission/:reviewId?", "review-staff/workspace/workspace.screen.tsx"),
      route(
        "reviewer/submission/:reviewId/hand-back",
        "review-staff/hand-back/hand-back.screen.tsx",
      ),
      route("reviewer/drafts/:draftId", "review-staff/hand-back/earlier-draft.screen.tsx"),
      route("reviewer/submission/:reviewId/preview", "review-staff/workspace/preview.screen.tsx"),
      route("reviewer/submission/:reviewId/remarks", "review-staff/workspace/changes.action.ts"),
    ]),

    // Admins
    route("admin", "admin/admin.guard.tsx", [
      index("admin/overview.screen.tsx"),
      route("search", "admin/search/search.screen.tsx"),
      route("search/results", "admin/search/search-results.action.ts"),
      route("users", "admin/users.screen.tsx"),
      route("users/:userId", "admin/person/person.screen.tsx"),
      route("users/:userId/give-back", "accounts/details/give-back.screen.tsx"),
      route("users/:userId/close", "own-data/closing/close-for.screen.tsx"),
      route("reviews", "review-staff/assign/pending-reviews.screen.tsx"),
      route("reviews/assigned", "review-staff/assign/assigned-reviews.screen.tsx"),
      route("reviews/questions", "review-staff/assign/open-questions.screen.tsx"),
      route("reviews/handed-back", "review-staff/hand-back/handed-back-reviews.screen.tsx"),
      route("reviews/handed-back/:draftId", "review-staff/hand-back/handed-back-draft.screen.tsx"),
      route("reviews/completed", "review-staff/edit/completed-reviews.screen.tsx"),
      route("reviewers", "reviews/rating/reviewers.screen.tsx"),
      route("reviews/:reviewId/remarks", "review-staff/edit/edit-remarks.screen.tsx"),
      route("reviews/:reviewId/remarks/changes", "review-staff/edit/changes.action.ts"),
      route("payouts", "review-staff/earnings/payouts.screen.tsx"),
      route("payouts.csv", "review-staff/earnings/payout-file.action.ts"),
      route("payouts/:reviewerId", "review-staff/earnings/payee.screen.tsx"),
      route("settings", "admin/settings.screen.tsx"),
      route("history", "admin/history.screen.tsx"),
      route("mail", "admin/mail/mails.screen.tsx"),
      route("messages", "support/answer/messages.screen.tsx"),
      route("messages/:ticket", "support/answer/message.screen.tsx"),
      route("orders", "admin/orders/orders.screen.tsx"),
      route("orders/month", "admin/orders/month.screen.tsx"),
      route("orders/month.csv", "admin/orders/month-file.action.ts"),
      route("orders/:orderId", "admin/orders/order.screen.tsx"),
      route("payments", "admin/orders/orders-to-resolve.screen.tsx"),
      route("product", "admin/product/product.screen.tsx"),
      route("jobs", "jobs/manage/job-management.screen.tsx", { id: "all-jobs" }),
      route("jobs/details", "jobs/suggest-details/proposed-details.screen.tsx"),
      route("jobs/reports", "checks/decide/reports.screen.tsx"),
      route("jobs/waiting", "posting/decide/waiting-list.screen.tsx"),
      route("jobs/waiting/:submissionId", "posting/decide/waiting-listing.screen.tsx"),
      route("companies", "companies/decide/companies.screen.tsx", { id: "all-companies" }),
      route("companies/claims", "companies/decide/claims.screen.tsx"),
      route("companies/pages", "companies/decide/page-changes.screen.tsx"),
      route("companies/:companyId/listings", "posting/link/link-listings.screen.tsx"),
      route("jobs/names", "checks/question/mentions.screen.tsx"),
      route("jobs/checks", "checks/queue/check-queue.screen.tsx", { id: "all-checks" }),
    ]),
  ]),

  // Only in a demo. Builds for production leave it out.
  ...(process.env.GALLERY === "off"
    ? []
    : [route("demo/components", "site/gallery/gallery.screen.tsx")]),

  // Not found
  route("*", "site/not-found.screen.tsx"),
] satisfies RouteConfig;
