import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../../app/routes.ts";
import { publicPages } from "./public-pages.ts";

/**
 * The screens and who can open them. A test compares the rows with the product's routes. The people come from the
 * specification, not from the code.
 */
export const everyone = [
  "visitor",
  "customer",
  "subscriber",
  "adder",
  "reviewer",
  "admin",
] as const;
export type Persona = (typeof everyone)[number];
const signedIn: Persona[] = ["customer", "subscriber", "adder", "reviewer", "admin"];

export const screens: Record<string, readonly Persona[]> = {
  "/": everyone,
  "/theme": everyone,
  "/about": everyone,
  "/contact": everyone,
  "/support/:token": everyone,
  "/faq": everyone,
  "/privacy": everyone,
  "/privacy/notice": everyone,
  "/terms": everyone,
  "/refund": everyone,
  "/session": everyone,
  "/login": ["visitor"],
  "/login/second-step": [],
  "/login/passkey": everyone,
  "/sign-in-again": signedIn,
  "/signup": ["visitor"],
  "/resend-confirmation": everyone,
  "/account-confirmation": everyone,
  "/email-confirmation": everyone,
  "/forgot-password": everyone,
  "/reset-password": everyone,
  "/reset-password/check": everyone,
  "/logout": everyone,
  "/jobs": everyone,
  "/jobs/map": everyone,
  "/jobs/removed": everyone,
  "/jobs/alerts": everyone,
  "/alerts/confirm/:token": everyone,
  "/alerts/stop/:token": everyone,
  "/jobs/report/:token": everyone,
  "/jobs/:jobId": everyone,
  "/jobs/:jobId/report": everyone,
  "/jobs/:jobId/save": signedIn,
  "/check/:token": everyone,
  "/services": everyone,
  "/services/example-review": everyone,
  "/services/resume-check": everyone,
  "/payment-success": everyone,
  "/payment-failure": everyone,
  "/services/resume-review": signedIn,
  "/services/portfolio-review": signedIn,
  "/services/combined-review": signedIn,
  "/services/target-jobs": signedIn,
  "/profile": signedIn,
  "/profile/changes": signedIn,
  "/profile/second-factor": signedIn,
  "/profile/mails": signedIn,
  "/profile/messages": signedIn,
  "/profile/jobs": signedIn,
  "/profile/jobs/:trackedId": signedIn,
  "/profile/jobs/listings": signedIn,
  "/profile/jobs.csv": signedIn,
  "/profile/alerts": signedIn,
  "/profile/data": signedIn,
  "/profile/passkeys": signedIn,
  "/profile/payments": signedIn,
  "/profile/payments/:orderId": signedIn,
  "/profile/sessions": signedIn,
  "/service-review/:id?": signedIn,
  "/service-review/:id/share": signedIn,
  "/shared/:token": everyone,
  "/subscription": signedIn,
  "/reviewer": ["reviewer"],
  "/reviewer/about-you": ["reviewer"],
  "/reviewer/submission/:reviewId?": ["reviewer"],
  "/reviewer/submission/:reviewId/preview": ["reviewer"],
  "/reviewer/submission/:reviewId/remarks": ["reviewer"],
  "/job-board": ["subscriber", "adder"],
  "/job-board/checks": ["adder"],
  "/admin": ["admin"],
  "/admin/reviews": ["admin"],
  "/admin/reviews/assigned": ["admin"],
  "/admin/reviews/completed": ["admin"],
  "/admin/reviews/:reviewId/remarks": ["admin"],
  "/admin/reviews/:reviewId/remarks/changes": ["admin"],
  "/admin/search": ["admin"],
  "/admin/search/results": ["admin"],
  "/admin/users": ["admin"],
  "/admin/users/:userId": ["admin"],
  "/admin/mail": ["admin"],
  "/admin/messages": ["admin"],
  "/admin/messages/:ticket": ["admin"],
  "/admin/payments": ["admin"],
  "/admin/orders": ["admin"],
  "/admin/orders/:orderId": ["admin"],
  "/admin/product": ["admin"],
  "/admin/reviewers": ["admin"],
  "/admin/settings": ["admin"],
  "/admin/history": ["admin"],
  "/admin/jobs": ["admin"],
  "/admin/jobs/details": ["admin"],
  "/admin/jobs/reports": ["admin"],
  "/admin/jobs/names": ["admin"],
  "/admin/jobs/checks": ["admin"],
  "/demo/components": everyone,
  "/*": everyone,
};

/** Permissions and their holders. Ownership is tested with each command. */
export const eventsOf: Record<string, readonly Persona[]> = {
  "review.oversee": ["admin"],
  "review.assign": ["admin"],
  "review.extend": ["admin"],
  "review.prioritise": ["admin"],
  "review.edit": ["admin"],
  "product.oversee": ["admin"],
  "user.oversee": ["admin"],
  "user.reset-password": ["admin"],
  "user.change-role": ["admin"],
  "user.ban": ["admin"],
  "mail.manage": ["admin"],
  "message.answer": ["admin"],
  "order.resolve": ["admin"],
  "order.refund": ["admin"],
  "refund.ask": signedIn,
  "review.open": ["reviewer"],
  "review.write": ["reviewer"],
  "review.submit": ["reviewer"],
  "review.remark": ["reviewer", "admin"],
  "reviewer.introduce": ["reviewer"],
  "reviewer.hide": ["admin"],
  "reviewer.set-availability": ["reviewer"],
  "review.share": signedIn,
  "review.brief": signedIn,
  "review.rate": signedIn,
  "session.end": signedIn,
  "factor.change": signedIn,
  "mail.choose": signedIn,
  "consent.change": signedIn,
  "tracker.keep": signedIn,
  "alert.keep": signedIn,
  "job.manage": ["subscriber", "adder", "admin"],
  "job.manage-any": ["admin"],
  "report.decide": ["admin"],
  "contact.decide": ["admin"],
  "job.check": ["adder", "admin"],
};

/**
 * The handlers other than screens. "anyone"; "signed in": visitors are refused; "signed by PayU": a post without
 * a signature changes nothing; "owner": only people who may see the file; "nobody": 405.
 */
export const handlers: Record<
  string,
  "anyone" | "signed in" | "signed by PayU" | "owner" | "nobody"
> = {
  ...Object.fromEntries(
    [
      "/robots.txt",
      "/manifest.webmanifest",
      "/jobs/feed.atom",
      "/jobs/feed.json",
      "/places",
      "/sitemap.xml",
      "/sitemaps/pages.xml",
      "/sitemaps/:file{jobs-[1-9][0-9]{0,5}\\.xml}",
      "/social/jobs/:file{[0-9a-f-]{36}\\.png}",
      ...publicPages.map(({ path }) => `/social${path === "/" ? "/home" : path}.png`),
    ].map((path) => [`GET ${path}`, "anyone" as const]),
  ),
  "ALL /robots.txt": "nobody",
  "ALL /manifest.webmanifest": "nobody",
  "ALL /jobs/feed.atom": "nobody",
  "ALL /jobs/feed.json": "nobody",
  "ALL /places": "nobody",
  "ALL /sitemap.xml": "nobody",
  "ALL /sitemaps/*": "nobody",
  "ALL /social/*": "nobody",
  "GET /healthz": "anyone",
  "GET /offline": "anyone",
  "GET /service-worker.js": "anyone",
  "GET /livez": "anyone",
  "GET /readyz": "anyone",
  "GET /demo": "anyone",
  "GET /demo/mailbox": "anyone",
  "GET /demo/mailbox/:id": "anyone",
  "POST /demo/act-as": "anyone",
  "GET /payu-webhook": "anyone",
  "POST /alerts/stop/:token": "anyone",
  "POST /payu-webhook": "signed by PayU",
  "ALL /payu-webhook": "nobody",
  "POST /payment-success": "signed by PayU",
  "POST /payment-failure": "signed by PayU",
  ...Object.fromEntries(
    ["PUT", "PATCH", "DELETE", "OPTIONS"].flatMap((method) => [
      [`${method} /payment-success`, "nobody"],
      [`${method} /payment-failure`, "nobody"],
    ]),
  ),
  "GET /shared/:token/:name": "anyone",
  "HEAD /shared/:token/:name": "anyone",
  "POST /uploads/form": "signed in",
  "ALL /uploads": "signed in",
  "ALL /uploads/:id": "signed in",
  "ALL /storage/*": "owner",
  "GET /pictures/:file/:renderer/:name": "owner",
  "HEAD /pictures/:file/:renderer/:name": "owner",
  "GET /service-review/:id/annotated.pdf": "owner",
  "GET /profile/payments/:orderId/receipt.pdf": "owner",
};

/** The paths of all screens in `app/routes.ts`. */
export const screenPaths = [...pathsOf(routes)];

function* pathsOf(entries: RouteConfigEntry[], parent = ""): Generator<string> {
  for (const { path, index, children } of entries) {
    const full = path ? `${parent}/${path}` : parent;
    if (children) {
      if (path) yield full;
      yield* pathsOf(children, full);
    } else if (!index || !parent) yield full || "/";
  }
}

/** Routes without a screen redirect every reader. */
export function isActionOnly(path: string): boolean {
  return [
    "/theme",
    "/logout",
    "/reset-password/check",
    "/login/passkey",
    "/profile/changes",
  ].includes(path);
}
