import { randomUUID } from "node:crypto";
import { choosableMails } from "../../../app/accounts/mail-choices.ts";
import { day, now, toIsoDay } from "../../../app/platform/clock.ts";
import { toDateTimeInput } from "../../../app/reviews/due-dates/due-dates.ts";
import { getDraftVersion } from "../../../app/review-staff/workspace/own-review.server.ts";
import {
  getProposalsVersion,
  suggestDetails,
} from "../../../app/jobs/suggest-details/suggest-details.server.ts";
import { listingFields } from "../rows/companies.ts";
import { jobFields } from "../rows/jobs.ts";
import { type Things } from "../rows/things.ts";
import { type Sender, senders } from "./permissions.ts";

const signedIn = senders.filter((sender) => sender !== "visitor" && sender !== "banned");

export type FormFacts = {
  things: Things;
  ids: Record<Exclude<Sender, "visitor">, string>;
  subscriptionId: string;
  /** A passkey of the customer. */
  passkeyId: string;
  /** Another session of the customer. */
  sessionId: string;
  /** The version of the completed review in its form. */
  version: string;
  /** Two people who appear in no other form, one of them banned. */
  strangers: { free: string; banned: string };
  /** A failed email, a contact message, an order to resolve, a paid order, a requested refund and texts to decide about, and an unpaid fee. */
  waiting: {
    mail: string;
    ticket: string;
    /** A message from the free stranger. */
    ticketOfFree: string;
    order: string;
    paid: string;
    refund: { orderId: string; refundId: string };
    namedText: string;
    keptText: string;
    fee: { reviewerId: string; reviewId: string; month: string; paise: number };
  };
};

export type SentForm = {
  /** The path in `app/routes.ts`. */
  route: string;
  /** The form's intent, if the route has several forms. */
  intent: string;
  /** The senders for whom it changes something. For all others no row changes. */
  who: readonly Sender[];
  at(facts: FormFacts): string;
  fields(facts: FormFacts): Record<string, string>;
  /** Other fields that it takes. */
  more: string[];
};

/** A form that needs no facts has only the names of its fields; `valid` has their values. */
type Row = [
  intent: string,
  who: readonly Sender[],
  fields: SentForm["fields"] | string,
  more?: string,
];

/** An unknown passkey in the format of a browser. */
const noPasskey = JSON.stringify({ id: "none", rawId: "none", type: "public-key", response: {} });
/** Wrong for every app and person, unlike six digits. */
const tooShortCode = "12";
const noMails = Object.fromEntries(Object.keys(choosableMails).map((kind) => [kind, "never"]));
const noDraft = getDraftVersion(null);
const remark = () => ({
  id: randomUUID(),
  target: "resume-1",
  severity: "must",
  text: "Say what came of it.",
});
const outcome = ({ lookRemark }: Things) => ({
  remarkId: lookRemark,
  outcome: "solved",
  note: "",
  base: "0",
});
const answer = () => ({ position: "1", answer: "No: two pages are fine.", seen: "" });

const followUp = () => ({
  text: "Is the first page enough for a quick look?",
  remark: "",
  version: "0",
});

const completedRemarkForms: Row[] = [
  ["save-remark", ["admin"], remark, "area base"],
  ["delete-remark", ["admin"], ({ things }) => ({ id: things.givenRemark, base: "1" })],
  ["score", ["admin"], () => ({ criterion: "story", score: "4" })],
];

/** Forms of the remark editor that only reviewers can use. */
const reviewersForms: Row[] = [
  ["settle-earlier", [], () => ({ keep: "no" })],
  ["save-phrase", [], () => ({ text: randomUUID() })],
  ["delete-phrase", [], ({ things }) => ({ id: things.phrase })],
];

/** Every form. `npm run missing` compares the rows with the sources. */
export const forms: SentForm[] = [
  ...at("/theme", [["", senders, "theme next"]]),
  ...at("/login", [["", senders, "email password next"]]),
  ...at("/login/passkey", [["", senders, "response next"]]),
  ...at("/signup", [["", senders, "fullName email password confirmPassword terms next"]]),
  ...at("/resend-confirmation", [["", senders, "email next"]]),
  ...at("/account-confirmation", [["", senders, "token_hash access_token"]]),
  ...at("/email-confirmation", [["", senders, "token_hash access_token"]]),
  ...at("/forgot-password", [["", senders, "email"]]),
  ...at("/reset-password", [["", senders, "token_hash access_token password confirmPassword"]]),
  ...at("/reset-password/check", [["", senders, "token_hash access_token"]]),
  ...at("/logout", [["", senders, ""]]),
  ...at("/contact", [["", senders, "name email subject message"]]),
  ...at(
    "/support/:token",
    [
      ["write", senders, "text seen"],
      ["kind", senders, "kind"],
    ],
    () => "/support/none",
  ),
  ...at(
    "/jobs/:jobId/report",
    [["", senders, "reason text email topic renderedAt"]],
    ({ things }) => `/jobs/${things.jobs.published}/report`,
  ),
  ...at("/post/company", [
    [
      "",
      signedIn,
      () => ({
        name: "Sample Studio",
        website: "https://sample.example",
        workEmail: "work@sample.example",
      }),
      "about",
    ],
  ]),
  ...at(
    "/post/company/:companyId/page",
    [
      [
        "send-page",
        ["owner"],
        ({ things }) => ({
          ...things.pageForms[things.pages.unchanged]!,
          name: "Sample Signs",
          about: "Signs for shops.",
        }),
        "removesLogo",
      ],
    ],
    ({ things }) => `/post/company/${things.pages.unchanged}/page`,
  ),
  ...at(
    "/post/company/:companyId/page",
    [["withdraw-page", ["owner"], ({ things }) => things.pageForms[things.pages.waiting]!]],
    ({ things }) => `/post/company/${things.pages.waiting}/page`,
  ),
  ...at("/post/confirm/:token", [["", [], ""]], () => "/post/confirm/none"),
  ...at("/post/team", [
    [
      "invite-member",
      ["owner", "customer"],
      ({ things }) => ({ companyId: things.team.company, workEmail: things.teamEmail }),
    ],
    ["withdraw-invitation", ["owner", "customer"], ofTeam("invitation")],
    ["remove-member", ["owner", "customer"], ofTeam("member")],
    ["make-owner", ["owner", "customer"], ofTeam("member")],
    [
      "leave-company",
      ["owner", "customer", "other reviewer"],
      ({ things }) => ({ companyId: things.team.company }),
    ],
  ]),
  ...at("/post/join/:token", [["", [], ""]], () => "/post/join/none"),
  ...at("/post/listings", [
    [
      "create-listing",
      ["owner"],
      ({ things }) => ({ id: randomUUID(), companyId: things.company.id }),
    ],
    ["change-listing", ["owner"], ofSubmission("live")],
    [
      "close-earlier",
      ["owner"],
      ({ things }) => ({
        id: things.submissions.live,
        closesOn: toIsoDay(new Date(now().getTime() + 30 * day)),
      }),
    ],
    ["still-open", ["owner"], ofSubmission("live")],
    ["filled", ["owner"], ofSubmission("live")],
    ["closed", ["owner"], ofSubmission("live")],
  ]),
  ...at(
    "/post/:submissionId",
    [
      ["save-listing", ["owner"], () => ({ ...listingFields, version: "1", title: "Letterer" })],
      ["preview-listing", ["owner"], () => ({ ...listingFields, version: "1", title: "Letterer" })],
      ["discard-listing", ["owner"], () => ({})],
    ],
    ({ things }) => `/post/${things.submissions.draft}`,
  ),
  ...at(
    "/post/:submissionId/preview",
    [["send-listing", ["owner"], () => ({ version: "1" })]],
    ({ things }) => `/post/${things.submissions.draft}/preview`,
  ),
  ...at(
    "/post/:submissionId/preview",
    [["withdraw-listing", ["owner"], () => ({})]],
    ({ things }) => `/post/${things.submissions.waiting}/preview`,
  ),
  ...at(
    "/post/:submissionId/preview",
    [["pay-listing", ["owner"], () => ({ version: "1" }), "state gstin"]],
    ({ things }) => `/post/${things.submissions.payable}/preview`,
  ),
  ...at("/jobs/report/:token", [["", senders, ""]], () => "/jobs/report/none"),
  ...at("/jobs/alerts", [["", senders, "frequency email topic renderedAt"]]),
  ...at("/alerts/confirm/:token", [["", senders, ""]], () => "/alerts/confirm/none"),
  ...at(
    "/alerts/stop/:token",
    [
      ["stop", senders, ""],
      ["stop-all", senders, ""],
    ],
    () => "/alerts/stop/none",
  ),
  ...at(
    "/check/:token",
    ["open", "filled", "closed", "remove"].map((intent): Row => [intent, senders, ""]),
    () => "/check/none",
  ),
  ...at("/new-address/:token", [["", senders, ""]], () => "/new-address/none"),
  ...at(
    "/earlier-address/:token",
    [
      ["", senders, ""],
      ["by-code", senders, () => ({ code: "123456" })],
      ["by-passkey", senders, () => ({ response: noPasskey })],
    ],
    () => "/earlier-address/none",
  ),
  ...at("/services/resume-check", [["", senders, "file"]]),
  ...at("/demo/components", [["save-sample", senders, "name"]]),
  // These refuse every form.
  ...at("/jobs/:jobId", [["", senders, ""]], ({ things }) => `/jobs/${things.jobs.published}`),
  ...at("/*", [["", senders, ""]], () => "/nowhere"),
  ...at("/admin/reviews", [
    ["", ["admin"], ({ things, ids }) => assignment(things.reviews.pending, ids)],
    ["set-priority", ["admin"], ({ things }) => priority(things.reviews.pending)],
    ["set-priorities", ["admin"], ({ things }) => priorityOfTicked(things.reviews.pending)],
    ["undo-priority", ["admin"], ({ things }) => ({ at: things.prioritisedAt.toISOString() })],
    ["extend", ["admin"], ({ things }) => extension(things, things.reviews.pending)],
  ]),
  ...at("/admin/reviews/assigned", [
    ["reassign", ["admin"], ({ things, ids }) => assignment(things.reviews.open, ids)],
    ["reassign-one", ["admin"], ({ things, ids }) => assignment(things.reviews.open, ids)],
    ["unassign", ["admin"], ({ things }) => ({ review: things.reviews.open })],
    ["unassign-one", ["admin"], ({ things }) => ({ review: things.reviews.open })],
    ["ask-unassign", [], ({ things }) => ({ review: things.reviews.open })],
    ["due-first", [], () => ({ dueFirst: "yes" })],
    ["set-priority", ["admin"], ({ things }) => priority(things.reviews.open)],
    ["set-priorities", ["admin"], ({ things }) => priorityOfTicked(things.reviews.open)],
    ["undo-priority", ["admin"], ({ things }) => ({ at: things.prioritisedAt.toISOString() })],
    ["extend", ["admin"], ({ things }) => extension(things, things.reviews.open)],
  ]),
  ...at("/admin/reviews/completed", [
    [
      "add-image",
      ["admin"],
      ({ things }) => ({
        reviewId: things.reviews.completed,
        imageUrl: "https://example.com/a.png",
      }),
    ],
    [
      "update-image",
      ["admin"],
      (facts) => ({ ...image(facts), imageUrl: "https://example.com/b.png" }),
    ],
    ["delete-image", ["admin"], image],
    ["answer", ["admin"], ({ things }) => ({ ...answer(), reviewId: things.reviews.completed })],
    // A priority alone is set from the other lists.
    ["set-priority", [], ({ things }) => priority(things.reviews.completed)],
    [
      "update-review",
      ["admin"],
      ({ things, version }) => ({
        ...priority(things.reviews.completed),
        feedback: "Show the outcome first.",
        version,
      }),
    ],
  ]),
  ...at("/admin/users", [["", ["admin"], ({ ids }) => ({ userId: ids.customer })]]),
  ...at(
    "/admin/users/:userId",
    [
      ["grant-role", ["admin"], () => ({ role: "reviewer" })],
      ["revoke-role", ["admin"], () => ({ role: "job_board_adder" })],
      ["ban", ["admin"], () => ({ days: "7", reason: "Sends spam." })],
      ["reset-password", ["admin"], () => ({})],
      [
        "export-data",
        ["admin"],
        ({ waiting }) => ({ ticket: waiting.ticketOfFree, reason: "They asked for it." }),
      ],
    ],
    ({ strangers }) => `/admin/users/${strangers.free}`,
  ),
  // This account has no earlier address.
  ...at(
    "/admin/users/:userId/give-back",
    [["", [], () => ({})]],
    ({ strangers }) => `/admin/users/${strangers.free}/give-back`,
  ),
  ...at(
    "/admin/users/:userId",
    [["unban", ["admin"], () => ({})]],
    ({ strangers }) => `/admin/users/${strangers.banned}`,
  ),
  // Without a ticket, since nobody here may lose their account.
  ...at(
    "/admin/users/:userId/close",
    [["", [], () => ({ ticket: "", reason: "They asked for it." })]],
    ({ strangers }) => `/admin/users/${strangers.free}/close`,
  ),
  ...at("/admin/mail", [
    ["retry", ["admin"], ({ waiting }) => ({ mailId: waiting.mail })],
    ["retry-all", ["admin"], () => ({})],
    ["drop", ["admin"], ({ waiting }) => ({ mailId: waiting.mail })],
  ]),
  ...at(
    "/admin/messages/:ticket",
    [
      ["answer", ["admin"], () => ({ answer: "We will.", seen: "0" })],
      ["note", ["admin"], () => ({ note: "Called.", seen: "" })],
      ["close", ["admin"], () => ({})],
      // The message is open.
      ["reopen", [], () => ({})],
      ["answer-close", ["admin"], () => ({ answer: "Done.", seen: "0" })],
      ["take-over", ["admin"], () => ({ seenOwner: "" })],
      ["kind", ["admin"], () => ({ kind: "complaint" })],
      ["link", ["admin"], ({ waiting }) => ({ target: waiting.paid })],
      ["unlink", ["admin"], () => ({ linked: "order" })],
      // This intent has the id of a saved reply.
      ["", [], () => ({ intent: `delete-template:${randomUUID()}` })],
      ["save-template", ["admin"], () => ({ title: "Refund", answer: "It is on its way." })],
    ],
    ({ waiting }) => `/admin/messages/${waiting.ticket}`,
  ),
  ...at("/admin/reviewers", [
    ["hide-reviewer", ["admin"], ({ things }) => ({ reviewerId: things.introduced.shown })],
    ["show-reviewer", ["admin"], ({ things }) => ({ reviewerId: things.introduced.hidden })],
  ]),
  ...at("/reviewer/earnings", [
    ["", ["reviewer", "other reviewer"], () => ({ pan: "ABCPD1234E" })],
  ]),
  ...at(
    "/admin/payouts/:reviewerId",
    [
      [
        "take-back",
        ["admin"],
        ({ waiting }) => ({
          reviewId: waiting.fee.reviewId,
          reason: "Copied from another review.",
        }),
      ],
      [
        "record-payout",
        ["admin"],
        ({ waiting: { fee } }) => ({
          month: fee.month,
          paise: String(fee.paise),
          paidOn: toIsoDay(now()),
          reference: "UTR 1",
        }),
      ],
      ["show-pan", ["admin"], () => ({})],
    ],
    ({ waiting }) => `/admin/payouts/${waiting.fee.reviewerId}`,
  ),
  ...at("/reviewer/about-you", [
    [
      "save-introduction",
      ["reviewer", "other reviewer"],
      () => ({ firstName: "Mira", field: "type design", about: "Draws letters.", isPublic: "yes" }),
      "field-graphic language-Tamil",
    ],
    ["save-availability", ["reviewer", "other reviewer"], () => ({ reviewsADay: "7" })],
  ]),
  ...at("/admin/payments", [
    ["ask", ["admin"], ({ waiting }) => ({ orderId: waiting.order })],
    ["resolve", ["admin"], ({ waiting }) => ({ orderId: waiting.order, note: "Given back." })],
  ]),
  ...at(
    "/admin/orders/:orderId",
    [
      ["ask", ["admin"], () => ({})],
      ["refund", ["admin"], () => ({ reason: "Paid by mistake." })],
    ],
    ({ waiting }) => `/admin/orders/${waiting.paid}`,
  ),
  ...at(
    "/admin/orders/:orderId",
    [
      [
        "approve-refund",
        ["admin"],
        ({ waiting }) => ({ refundId: waiting.refund.refundId, answer: "" }),
      ],
      [
        "decline-refund",
        ["admin"],
        ({ waiting }) => ({ refundId: waiting.refund.refundId, answer: "It says it all." }),
      ],
    ],
    ({ waiting }) => `/admin/orders/${waiting.refund.orderId}`,
  ),
  ...at("/admin/jobs", listingForms({ any: ["admin"], publishing: ["admin"] })),
  ...at("/admin/jobs/details", [
    [
      "",
      ["admin"],
      ({ things }) => ({
        id: things.jobs.published,
        seen: getProposalsVersion(jobFields, suggestDetails(jobFields)),
        "use-discipline": "yes",
      }),
      "next use-pay",
    ],
  ]),
  ...at("/admin/jobs/waiting", [
    [
      "publish-listings",
      ["admin"],
      ({ things }) => ({ listing: `${things.submissions.waiting}:1` }),
    ],
  ]),
  ...at(
    "/admin/jobs/waiting/:submissionId",
    [
      ["publish-listing", ["admin"], () => ({ version: "1" })],
      ["return-listing", ["admin"], () => ({ version: "1", reason: "State the pay." })],
    ],
    ({ things }) => `/admin/jobs/waiting/${things.submissions.waiting}`,
  ),
  ...at("/admin/companies", [
    ["hide-company", ["admin"], ({ things }) => ({ id: things.company.id })],
    ["approve-company", [], ({ things }) => ({ id: things.company.id })],
  ]),
  ...at(
    "/admin/companies/:companyId/listings",
    [["link-listings", ["admin"], ({ things }) => ({ listing: things.jobs.published })]],
    ({ things }) => `/admin/companies/${things.company.id}/listings`,
  ),
  ...at(
    "/admin/companies/:companyId/listings",
    [["unlink-listing", ["admin"], ({ things }) => ({ id: things.linked.job })]],
    ({ things }) => `/admin/companies/${things.linked.company}/listings`,
  ),
  ...at("/admin/companies/claims", [
    ["approve-claim", ["admin"], ({ things }) => ({ memberId: things.claim })],
    [
      "decline-claim",
      ["admin"],
      ({ things }) => ({ memberId: things.claim, reason: "Nobody there knows them." }),
    ],
  ]),
  ...at("/admin/companies/pages", [
    ["publish-page", ["admin"], ({ things }) => readPage(things)],
    ["return-page", ["admin"], ({ things }) => ({ ...readPage(things), reason: "Say where." })],
  ]),
  ...at("/admin/jobs/reports", [
    ["archive-reported", ["admin"], decision],
    ["dismiss-reports", ["admin"], decision],
  ]),
  ...at("/admin/jobs/names", [
    ["erase-text", ["admin"], ({ waiting }) => ({ id: waiting.namedText })],
    [
      "keep-text",
      ["admin"],
      ({ waiting }) => ({ id: waiting.keptText, reason: "Another person." }),
    ],
  ]),
  ...at("/admin/jobs/checks", checkForms(["admin"])),
  ...at("/job-board/checks", checkForms(["adder"])),
  ...at(
    "/job-board",
    listingForms({ any: ["adder"], publishing: ["subscriber", "adder", "other adder"] }),
  ),
  ...at(
    "/reviewer/submission/:reviewId?",
    [
      ["submit", ["reviewer"], () => ({ feedback: "Lead with the work.", version: noDraft })],
      ["save-draft", ["reviewer"], () => ({ feedback: "Lead with", version: noDraft })],
      [
        "remove",
        ["reviewer"],
        ({ things }) => ({ kind: "image", id: things.attachments[things.reviews.open]!.imageId }),
      ],
      ["save-remark", ["reviewer"], remark, "area base"],
      ["delete-remark", ["reviewer"], ({ things }) => ({ id: things.remark, base: "1" })],
      ["score", ["reviewer"], () => ({ criterion: "story", score: "4" })],
      ["answer", ["reviewer"], answer],
      ["settle-earlier", ["reviewer"], () => ({ keep: "no" })],
      ["delete-phrase", ["reviewer"], ({ things }) => ({ id: things.phrase })],
      // Scripts send these to the route below.
      ["rank-remarks", [], ({ things }) => ({ ids: things.remark })],
      ["save-phrase", [], () => ({ text: randomUUID() })],
    ],
    ({ things }) => `/reviewer/submission/${things.reviews.open}`,
  ),
  ...at(
    "/reviewer/submission/:reviewId/remarks",
    [
      ["save-remark", ["reviewer"], remark, "area base"],
      ["delete-remark", ["reviewer"], ({ things }) => ({ id: things.remark, base: "1" })],
      ["rank-remarks", ["reviewer"], ({ things }) => ({ ids: things.remark })],
      ["score", ["reviewer"], () => ({ criterion: "story", score: "4" })],
      ["answer", ["reviewer"], answer],
      ["save-draft", ["reviewer"], () => ({ feedback: "Lead with", version: noDraft })],
      ["save-phrase", ["reviewer", "other reviewer"], () => ({ text: randomUUID() })],
      // The screen itself handles these.
      ["settle-earlier", [], () => ({ keep: "no" })],
      ["delete-phrase", [], ({ things }) => ({ id: things.phrase })],
    ],
    ({ things }) => `/reviewer/submission/${things.reviews.open}/remarks`,
  ),
  ...at(
    "/reviewer/submission/:reviewId?",
    [["save-outcome", ["reviewer"], ({ things }) => ({ ...outcome(things), place: "" })]],
    ({ things }) => `/reviewer/submission/${things.looks.open}`,
  ),
  ...at(
    "/reviewer/submission/:reviewId/remarks",
    [
      [
        "save-outcome",
        ["reviewer"],
        ({ things }) => ({ ...outcome(things), target: "", area: "" }),
      ],
    ],
    ({ things }) => `/reviewer/submission/${things.looks.open}/remarks`,
  ),
  ...at(
    "/reviewer/submission/:reviewId/remarks",
    [["save-answer", ["reviewer"], followUp]],
    ({ things }) => `/reviewer/submission/${things.askedReviews.open}/remarks`,
  ),
  ...at(
    "/reviewer/questions/:reviewId",
    [["send-answer", ["reviewer"], followUp]],
    ({ things }) => `/reviewer/questions/${things.askedReviews.open}`,
  ),
  ...at(
    "/reviewer/submission/:reviewId/hand-back",
    [["hand-back", ["reviewer"], () => ({ reason: "ill", note: "Back on Monday." })]],
    ({ things }) => `/reviewer/submission/${things.reviews.open}/hand-back`,
  ),
  ...at(
    "/reviewer/drafts/:draftId",
    [
      ["take-draft", ["reviewer"], () => ({})],
      ["discard-draft", ["reviewer"], () => ({})],
    ],
    ({ things }) => `/reviewer/drafts/${things.drafts.offered}`,
  ),
  ...at("/admin/reviews/questions", [
    [
      "assign-question",
      ["admin"],
      ({ things, ids }) => ({
        reviewId: things.askedReviews.open,
        reviewer: ids["other reviewer"],
      }),
    ],
  ]),
  ...at(
    "/service-review/:id?",
    [
      [
        "tick-remark",
        ["owner"],
        ({ things }) => ({ remark: things.givenRemark, done: "yes" }),
        "back",
      ],
      ["rate", ["owner"], () => ({ rating: "4", words: "It helped." })],
    ],
    ({ things }) => `/service-review/${things.reviews.completed}`,
  ),
  ...at(
    "/service-review/:id/question",
    [["ask", ["owner"], followUp]],
    ({ things }) => `/service-review/${things.reviews.completed}/question`,
  ),
  ...at(
    "/service-review/:id/share",
    [
      ["make-link", ["owner"], () => ({ areas: "[]", pages: "0" }), "private feedback question"],
      ["end-link", ["owner"], () => ({})],
    ],
    ({ things }) => `/service-review/${things.reviews.completed}/share`,
  ),
  ...at(
    "/admin/reviews/:reviewId/remarks",
    [
      ...completedRemarkForms,
      ...reviewersForms,
      ["rank-remarks", [], ({ things }) => ({ ids: things.givenRemark })],
    ],
    ({ things }) => `/admin/reviews/${things.reviews.completed}/remarks`,
  ),
  ...at(
    "/admin/reviews/:reviewId/remarks/changes",
    [
      ...completedRemarkForms,
      ...reviewersForms,
      ["rank-remarks", ["admin"], ({ things }) => ({ ids: things.givenRemark })],
    ],
    ({ things }) => `/admin/reviews/${things.reviews.completed}/remarks/changes`,
  ),
  ...at("/services/resume-review", submissionForms({ resume: ["owner"] })),
  ...at("/services/portfolio-review", submissionForms({ portfolio: ["owner"], link: signedIn })),
  ...at(
    "/services/combined-review",
    submissionForms({ resume: ["owner"], portfolio: ["owner"], link: signedIn }),
  ),
  ...["resume", "portfolio", "combined"].flatMap((kind) =>
    // The pages of the owner's files are not rendered, so there are no boxes.
    at(`/services/${kind}-review/black-out`, [
      ["black-out", [], () => ({ version: "", "page-0": "1" })],
      ["use-original", [], () => ({})],
    ]),
  ),
  ...at(
    "/service-review/:id/second-look",
    submissionForms({ resume: ["owner"], brief: ["owner"], price: 99_00 }),
    ({ things }) => `/service-review/${things.reviews.completed}/second-look`,
  ),
  ...at(
    "/service-review/:id/second-look/black-out",
    [
      ["black-out", [], () => ({ version: "", "page-0": "1" })],
      ["use-original", [], () => ({})],
    ],
    ({ things }) => `/service-review/${things.reviews.completed}/second-look/black-out`,
  ),
  ...at("/sign-in-again", [
    ["by-password", [], () => ({ password: "not it" }), "next"],
    ["by-code", [], () => ({ code: tooShortCode }), "next"],
    ["by-passkey", [], () => ({ response: noPasskey })],
  ]),
  ...at("/login/second-step", [
    ["by-code", [], () => ({ code: tooShortCode }), "next"],
    ["by-passkey", [], () => ({ response: noPasskey })],
  ]),
  ...at("/profile/payments", [
    ["refund", ["owner"], ({ things }) => ({ orderId: things.order }), "reason"],
  ]),
  ...at(
    "/jobs/:jobId/save",
    [
      ["save", signedIn, "", "from"],
      ["applied", signedIn, ""],
      // The listing is in no list.
      ["unsave", [], ""],
    ],
    ({ things }) => `/jobs/${things.jobs.published}/save`,
  ),
  ...at(
    "/jobs/:jobId/message",
    [
      [
        "",
        signedIn,
        () => ({ motivation: "I draw maps.", portfolio: "https://asha.example/", link: "none" }),
      ],
    ],
    ({ things }) => `/jobs/${things.jobs.published}/message`,
  ),
  ...at("/profile/jobs", [
    [
      "add",
      signedIn,
      () => ({ title: "Type Designer", company: "Letter Works", state: "saved" }),
      "place url",
    ],
    [
      "move",
      ["owner"],
      ({ things }) => ({ id: things.trackedJob, version: "0", state: "applied" }),
    ],
    ["remove", ["owner"], ({ things }) => ({ id: things.trackedJob })],
    ["restore", signedIn, () => ({ removed: removedJob() })],
    ["reply", ["owner"], ({ things }) => ({ id: things.applications.due, outcome: "later" })],
    ["withdraw-reply", ["owner"], ({ things }) => ({ id: things.applications.askedAgain })],
  ]),
  ...at(
    "/profile/jobs/:trackedId",
    [
      [
        "",
        ["owner"],
        () => ({ version: "0", state: "applied", notes: "Sent today." }),
        "appliedOn nextStepOn title company place url",
      ],
      ["reply", ["owner"], ({ things }) => ({ id: things.applications.due, outcome: "later" })],
      ["withdraw-reply", ["owner"], ({ things }) => ({ id: things.applications.askedAgain })],
    ],
    ({ things }) => `/profile/jobs/${things.trackedJob}`,
  ),
  ...at("/profile/passkeys", [
    ["add-passkey", [], () => ({ name: "Phone", response: noPasskey })],
    ["rename-passkey", ["customer"], ({ passkeyId }) => ({ id: passkeyId, name: "Telephone" })],
    ["remove-passkey", ["customer"], ({ passkeyId }) => ({ id: passkeyId })],
  ]),
  ...at("/profile/sessions", [
    ["end-session", ["customer"], ({ sessionId }) => ({ id: sessionId })],
    ["end-others", ["customer"], () => ({})],
  ]),
  ...at("/profile/changes", [
    [
      "save-brief",
      signedIn,
      () => ({ service: "resume_review", targetRole: "Lead designer" }),
      "years question1 wishedField",
    ],
    [
      "save-question",
      ["owner"],
      ({ things }) => ({ reviewId: things.reviews.completed, ...followUp() }),
    ],
  ]),
  ...at("/profile/mails", [["", signedIn, () => noMails]]),
  ...at("/profile/alerts", [
    ["change-frequency", ["owner"], ({ things }) => ({ id: things.alert, frequency: "weekly" })],
    ["stop-alert", ["owner"], ({ things }) => ({ id: things.alert })],
  ]),
  ...at("/profile/data", [
    // It also turns off the emails of other roles, which the form before left on.
    ["withdraw", signedIn, () => ({ purpose: "mails" })],
    ["allow", signedIn, () => ({ purpose: "sample" })],
    // Everyone here accepted the current notice when they signed up.
    ["accept-notice", [], () => ({})],
  ]),
  ...at("/profile/details", [
    ["change-name", signedIn, () => ({ fullName: "Asha V." })],
    ["change-address", signedIn, () => ({ email: "new@example.com" })],
  ]),
  ...at("/profile/data/export", [["", signedIn, () => ({})]]),
  // Without the tick, since nobody here may lose their account.
  ...at("/profile/data/close", [["", [], () => ({})]]),
  ...at("/profile/second-factor", [
    ["begin-app", signedIn, () => ({})],
    ["confirm-app", [], () => ({ code: tooShortCode })],
    ["renew-codes", [], () => ({})],
    ["remove-app", [], () => ({})],
  ]),
  ...at("/subscription", [["", ["subscriber"], ({ subscriptionId }) => ({ subscriptionId })]]),
];

/** The forms whose effect depends on the sender. Those for anyone have tests of their own. */
export const sentForms = forms.filter(({ who }) => who !== senders);

/** Facts whose ids belong to nothing. */
export function unknownFacts(): FormFacts {
  const id = randomUUID();
  const at = new Date(0);
  const ids = withRest({}, id);
  const groups = {
    reviews: ids,
    jobs: ids,
    submissions: ids,
    company: ids,
    pages: ids,
    pageForms: withRest({}, { version: id, pageVersion: id, website: "https://sample.example" }),
    linked: ids,
    introduced: ids,
    attachments: withRest({}, ids),
    drafts: ids,
  };
  const waiting = withRest({ ticket: "T-7QK3-9FWM", ticketOfFree: "T-7QK3-9FWM", refund: ids }, id);
  const times = { dueAt: at, archivedAt: at, prioritisedAt: at };
  const things = withRest({ ...groups, ...times }, id);
  return withRest({ things, ids, waiting, strangers: ids }, id) as FormFacts;
}

/** Gives each name that an object lacks the same value. */
function withRest(known: object, rest: unknown): object {
  return new Proxy(known, { get: (_, name) => Reflect.get(known, name) ?? rest });
}

function at(route: string, rows: Row[], address: SentForm["at"] = () => route): SentForm[] {
  return rows.map(([intent, who, fields, more = ""]) => ({
    route,
    intent,
    who,
    at: address,
    fields: typeof fields === "string" ? () => validFields(fields) : fields,
    more: more.split(" ").filter(Boolean),
  }));
}

function validFields(names: string): Record<string, string> {
  const fields = names.split(" ").filter(Boolean);
  return Object.fromEntries(fields.map((name) => [name, valid[name] ?? "none"]));
}

/** Valid values of fields by name. */
export const valid: Record<string, string> = {
  email: "asha@example.com",
  password: "Good-enough1!",
  confirmPassword: "Good-enough1!",
  fullName: "Asha",
  terms: "accepted",
  next: "/jobs",
  kind: "image",
  jobType: "Full-time",
};

function ofSubmission(state: keyof Things["submissions"]): SentForm["fields"] {
  return ({ things }) => ({ id: things.submissions[state] });
}

/** The change of a company's page that waits. */
function readPage({ pages, pageForms }: Things): Record<string, string> {
  const { version, pageVersion } = pageForms[pages.waiting]!;
  return { companyId: pages.waiting, version, pageVersion };
}

function ofTeam(kind: keyof Things["team"]): SentForm["fields"] {
  return ({ things }) => ({ companyId: things.team.company, id: things.team[kind] });
}

/** A job that its owner removed, as the page sends it back. */
function removedJob(): string {
  return JSON.stringify({
    id: randomUUID(),
    jobId: null,
    title: "Type Designer",
    company: "Letter Works",
    place: "",
    url: "",
    state: "saved",
    appliedOn: null,
    nextStepOn: null,
    notes: "",
    version: 0,
    createdAt: "2026-01-05T10:00:00.000Z",
    history: [{ state: "saved", at: "2026-01-05T10:00:00.000Z" }],
  });
}

function assignment(review: string, ids: FormFacts["ids"]) {
  return { review, reviewer: ids["other reviewer"] };
}

function priority(reviewId: string) {
  return { reviewId, priority: "3" };
}

function priorityOfTicked(review: string) {
  return { review, priority: "3" };
}

function extension({ dueAt }: Things, reviewId: string) {
  const until = toDateTimeInput(new Date(dueAt.getTime() + day));
  return { reviewId, until, reason: "The reviewer fell ill.", seen: dueAt.toISOString() };
}

function image({ things }: FormFacts) {
  const { completed } = things.reviews;
  const { imageId, imageVersion } = things.attachments[completed]!;
  return { reviewId: completed, id: imageId, version: imageVersion };
}

function decision({ things }: FormFacts) {
  return { jobId: things.jobs.published, seen: things.seenReports, reason: "We checked it." };
}

/** `any` may change the listing that the adder created. */
function listingForms({ any, publishing }: Record<"any" | "publishing", Sender[]>): Row[] {
  const listing = { title: "Type Designer", company: "Sample Studio", location: "Pune" };
  const words = { description: "Draws letters.", largeDescription: "Draws letters all day." };
  const details = {
    hasDetails: "yes",
    discipline: "graphic",
    workMode: "remote",
    anywhere: "on",
    "skill-type-design": "on",
    payMin: "12 lakh",
    payPeriod: "year",
    testTask: "paid",
  };
  const published = ({ things }: FormFacts) => ({ id: things.jobs.published });
  return [
    [
      "create-job",
      publishing,
      () => ({ ...listing, ...words, ...details }),
      "jobType places applicantPlaces experienceMin payMax payVariable payCurrency rounds testTaskHours answerDays",
    ],
    ["update-job", any, (facts) => ({ ...published(facts), ...listing, ...words, ...details })],
    ["archive-job", any, published],
    ["unarchive-job", any, ({ things }) => ({ id: things.jobs.archived })],
    ["delete-job", any, published],
    [
      "undo-archive",
      any.filter((sender) => sender === "adder"),
      ({ things }) => ({ id: things.jobs.archived, at: things.archivedAt.toISOString() }),
    ],
  ];
}

/** The listing is the adder's. */
function checkForms(who: Sender[]): Row[] {
  return ["still-open", "filled", "closed"].map((intent) => [
    intent,
    who,
    ({ things }) => ({ job: things.dueJob }),
  ]);
}

type Parts = Partial<Record<"resume" | "portfolio" | "link" | "brief", readonly Sender[]>> & {
  /** In paise. */
  price?: number;
};

/** The portfolio link in the owner's drafts. */
export const gatheredAddress = "https://example.com/gathered";

/** Lists the forms of a service's submission. Only the owner has files in a draft; anyone can add a link. */
function submissionForms({
  resume = [],
  portfolio = [],
  link = [],
  brief = signedIn,
  price = resume.length && portfolio.length ? 299_00 : 199_00,
}: Parts): Row[] {
  return [
    ["save-portfolio", link, () => ({ portfolioUrl: "https://example.com/work" })],
    ["look-at-portfolio", portfolio, () => ({ address: gatheredAddress, opens: "yes" })],
    ["remove-resume", resume, () => ({})],
    ["remove-portfolio", portfolio, () => ({})],
    [
      "save-brief",
      brief,
      () => ({ targetRole: "Lead designer", years: "4", wishedField: "motion" }),
      "question1 question3 wishedLanguage",
    ],
    ["pay", ["owner"], () => ({ phone: "", price: String(price) }), "despite state gstin"],
  ];
}
