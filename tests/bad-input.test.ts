import { randomUUID } from "node:crypto";
import { matchPath } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { type Everybody, people } from "./support/rows/people.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { sample } from "./support/inventory/selection.ts";
import { formsForAnybody, sentForms } from "./support/inventory/sent-forms.ts";

/** Any input gets a clear answer below 500 and is never executed. */

const nasty: Record<string, string> = {
  nothing: "",
  blanks: "   \t\n ",
  "1 MB": "x".repeat(1_000_000),
  "Hindi and emoji": "आशा वर्मा, जयपुर 👩🏽‍🎨🇮🇳",
  "control characters": "a\u0000b\u0007c\u001b[31m\u202e",
  "half a character": "\ud83d",
  HTML: `"><script>alert(1)</script><img src=x onerror=alert(1)>`,
  SQL: "'; drop table users; --",
  "search wildcards": "%_\\%' or 1=1",
  "a path": "../../../../etc/passwd",
  "a number": "-1e309",
  JSON: `{"$ne":null,"__proto__":{"isGodAdmin":true}}`,
  "as long as an id": "-".repeat(36),
};

/** Valid values by field name. */
const valid: Record<string, string> = {
  email: "asha@example.com",
  password: "Good-enough1!",
  confirmPassword: "Good-enough1!",
  fullName: "Asha",
  terms: "accepted",
  next: "/jobs",
  portfolioUrl: "https://example.com",
  feedback: "Fine work.",
  priority: "1",
  kind: "image",
  title: "Designer",
  company: "Sample Studio",
  location: "Pune",
  jobType: "Full-time",
};

type Who = "visitor" | "customer" | "reviewer" | "adder" | "admin";

/** Every form, who may send it, and its fields. `intent=pay` is a field with a fixed value. */
const workDetails = "discipline workMode places applicantPlaces anywhere experienceMin skill-figma";
const payDetails = "payMin payMax payVariable payPeriod payCurrency";
const forms: [path: string, who: Who, fields: string][] = [
  ["/login", "visitor", "email password next"],
  ["/login/second-step", "visitor", "intent=by-code code next"],
  ["/login/passkey", "visitor", "response next"],
  ["/signup", "visitor", "fullName email password confirmPassword terms next"],
  ["/forgot-password", "visitor", "email"],
  ["/resend-confirmation", "visitor", "email next"],
  ["/reset-password", "visitor", "token_hash access_token password confirmPassword"],
  ["/reset-password/check", "visitor", "token_hash access_token"],
  ["/account-confirmation", "visitor", "token_hash access_token"],
  ["/email-confirmation", "visitor", "token_hash access_token"],
  ["/theme", "visitor", "theme next"],
  ["/logout", "visitor", "any"],
  ["/jobs", "visitor", "any"],
  [`/jobs/${randomUUID()}`, "visitor", "any"],
  [`/jobs/${randomUUID()}/report`, "visitor", "reason text email topic renderedAt"],
  [`/jobs/${randomUUID()}/report`, "customer", "reason text"],
  ["/jobs/report/none", "visitor", "any"],
  [`/jobs/${randomUUID()}/save`, "visitor", "intent from"],
  [`/jobs/${randomUUID()}/save`, "customer", "intent=save from"],
  ["/profile/jobs", "customer", "intent=add title company place url state"],
  ["/profile/jobs", "customer", "intent=move id version state"],
  ["/profile/jobs", "customer", "intent=restore removed"],
  [
    `/profile/jobs/${randomUUID()}`,
    "customer",
    "version state appliedOn nextStepOn notes title company place url",
  ],
  ["/jobs/alerts", "visitor", "frequency email topic renderedAt"],
  ["/jobs/alerts?discipline=ux", "customer", "frequency"],
  ["/alerts/confirm/none", "visitor", "any"],
  ["/alerts/stop/none", "visitor", "intent=stop any"],
  ["/alerts/stop/none", "visitor", "intent=stop-all any"],
  ["/alerts/stop/none", "visitor", "List-Unsubscribe"],
  ["/payment-success", "visitor", "txnid status hash amount"],
  ["/payment-failure", "visitor", "txnid status hash amount"],
  ["/payu-webhook", "visitor", "txnid status hash amount"],
  ["/uploads/form?purpose=resume&target=resume_review&next=/", "visitor", "file"],
  ["/services/resume-check", "visitor", "file"],
  ["/contact", "visitor", "name email subject message"],
  ["/demo/components", "visitor", "name"],
  ["/support/none", "visitor", "intent text seen"],
  ["/support/none", "visitor", "intent=kind kind"],
  ["/check/none", "visitor", "intent"],
  ["/check/none", "visitor", "intent=open any"],
  ["/check/none", "visitor", "intent=filled any"],
  ["/check/none", "visitor", "intent=closed any"],
  ["/check/none", "visitor", "intent=remove any"],
  ["/services/resume-review", "customer", "intent=pay phone despite"],
  ["/services/resume-review", "customer", "intent=save-brief targetRole years question1 question3"],
  [`/service-review/${randomUUID()}`, "customer", "intent=rate rating words"],
  ["/services/portfolio-review", "customer", "intent=save-portfolio portfolioUrl"],
  ["/services/portfolio-review", "customer", "intent=look-at-portfolio address opens"],
  ["/services/combined-review", "customer", "intent phone portfolioUrl"],
  ["/profile", "customer", "any"],
  ["/profile/payments", "customer", "intent=refund orderId reason"],
  ["/profile/changes", "customer", "intent=save-brief service targetRole years question1"],
  ["/reviewer/about-you", "reviewer", "firstName field about isPublic"],
  ["/admin/reviewers", "admin", "intent=hide-reviewer reviewerId"],
  ["/admin/reviewers", "admin", "intent=show-reviewer reviewerId"],
  [`/service-review/${randomUUID()}`, "customer", "intent=tick-remark remark done back"],
  [
    `/service-review/${randomUUID()}/share`,
    "customer",
    "intent=make-link areas pages private feedback",
  ],
  ["/sign-in-again", "customer", "intent=by-password password next"],
  ["/sign-in-again", "customer", "intent=by-code code next"],
  ["/profile/sessions", "customer", "intent=end-session id"],
  ["/profile/data", "customer", "intent=withdraw purpose"],
  ["/profile/data", "customer", "intent=allow purpose"],
  ["/profile/mails", "customer", "review-assigned review-ready"],
  ["/profile/alerts", "customer", "intent=change-frequency id frequency"],
  ["/profile/alerts", "customer", "intent=stop-alert id"],
  ["/profile/passkeys", "customer", "intent=add-passkey name response"],
  ["/profile/passkeys", "customer", "intent=rename-passkey id name"],
  ["/profile/second-factor", "customer", "intent=confirm-app code"],
  ["/subscription", "customer", "intent subscriptionId"],
  [`/reviewer/submission/${randomUUID()}`, "reviewer", "intent=submit feedback version"],
  ["/reviewer/submission/none", "reviewer", "intent=remove kind id"],
  [
    `/reviewer/submission/${randomUUID()}/remarks`,
    "reviewer",
    "intent=save-draft feedback version",
  ],
  [
    `/reviewer/submission/${randomUUID()}`,
    "reviewer",
    "intent=save-remark id target area text base",
  ],
  [`/reviewer/submission/${randomUUID()}/remarks`, "reviewer", "intent=save-phrase text"],
  [`/reviewer/submission/${randomUUID()}/remarks`, "reviewer", "intent=score criterion score"],
  [`/reviewer/submission/${randomUUID()}`, "reviewer", "intent=answer position answer seen"],
  ["/admin/reviews/completed", "admin", "intent=answer reviewId position answer seen"],
  [
    `/admin/reviews/${randomUUID()}/remarks`,
    "admin",
    "intent=save-remark id target area text base",
  ],
  [`/admin/reviews/${randomUUID()}/remarks/changes`, "admin", "intent=rank-remarks ids"],
  ["/admin/reviews", "admin", "intent reviewer review id priority"],
  ["/admin/reviews", "admin", "intent=extend reviewId until reason seen"],
  ["/admin/reviews/assigned", "admin", "intent reviewer review id priority"],
  ["/admin/users", "admin", "userId"],
  [`/admin/users/${randomUUID()}`, "admin", "intent=ban days reason"],
  [`/admin/users/${randomUUID()}`, "admin", "intent role"],
  ["/admin/mail", "admin", "intent=drop mailId"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=answer answer seen"],
  ["/admin/messages/none", "admin", "intent note seen"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=answer-close answer seen"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=take-over seenOwner"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=kind kind"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=link target"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=unlink linked"],
  ["/admin/messages/T-7QK3-9FWM", "admin", "intent=save-template title answer"],
  ["/admin/payments", "admin", "intent=look-into orderId note"],
  ["/admin/payments", "admin", "intent=ask orderId"],
  ["/admin/orders/TXN_NONE", "admin", "intent=refund reason"],
  ["/admin/orders/TXN_NONE", "admin", "intent=decline-refund refundId answer"],
  ["/admin/jobs", "admin", "intent id title company location jobType description"],
  ["/admin/jobs/details", "admin", "id seen next use-pay"],
  ["/admin/jobs/reports", "admin", "intent=archive-reported jobId seen reason"],
  ["/admin/jobs/reports", "admin", "intent=dismiss-reports jobId seen reason"],
  ["/admin/jobs/names", "admin", "intent=erase-text id"],
  ["/admin/jobs/names", "admin", "intent=keep-text id reason"],
  ["/admin/jobs/checks", "admin", "intent=still-open job"],
  ["/admin/jobs/checks?only=none", "admin", "intent=closed job"],
  ["/job-board/checks", "adder", "intent job"],
  ["/job-board", "adder", "intent id title company location jobType description"],
  ["/job-board", "adder", `intent=create-job hasDetails=yes ${workDetails} ${payDetails}`],
];
const paths = [...new Set(forms.map(([path]) => path))];

test("every form of the product is among them", () => {
  const routes = [
    ...formsForAnybody.map((form) => form.split(" ")[0]!),
    ...sentForms.map(({ route }) => route),
  ];
  const paths = forms.map(([path]) => path.split("?")[0]!);
  const missing = routes.filter((route) => !paths.some((path) => matchPath(route, path)));
  expect([...new Set(missing)]).toEqual([]);
});

let app: RunningApp;
let customer: string;
let reviewer: string;
let adder: string;
let admin: string;

beforeAll(async () => {
  let everybody!: Everybody;
  app = await runningApp(async (db) => {
    everybody = await people(db);
  });
  customer = await app.cookieOf(everybody.asha);
  reviewer = await app.cookieOf(everybody.meera);
  adder = await app.cookieOf(everybody.devi);
  admin = await app.cookieOf(everybody.gita);
});

/** Messages of the form library. */
const notOurs =
  /Invalid (input|option|string|number|key|element)\b|expected (string|number|one of)|Too (big|small):|Unrecognized key/;

test.each(
  sample(forms, { every: 6, always: ([path]) => path === "/login" || path === "/contact" }),
)("the form at %s gives a %s a clear error for any input", async (path, who, fields) => {
  const cookie = { visitor: undefined, customer, reviewer, adder, admin }[who];
  const sent = new Set<string>();
  for (const [what, text] of Object.entries(nasty)) {
    for (const body of bodiesOf(fields, text).filter((one) => isNew(sent, one))) {
      const response = await send(path, body, cookie);
      const where = `${what} in ${body.toString().slice(0, 80)}`;
      expect(response.status, where).toBeLessThan(500);
      const answer = await response.text();
      expect(answer, where).not.toContain("<script>alert(1)</script>");
      expect(answer, where).not.toMatch(notOurs);
    }
  }
});

/** Invalid ways to send a field. */
const odd: Record<string, (form: FormData, name: string) => void> = {
  absent: (form, name) => form.delete(name),
  doubled: (form, name) => form.append(name, "once more"),
  "a file": (form, name) => form.set(name, new File(["x"], "x.txt")),
};

const formsWithFields = forms.filter(([, , fields]) => fields !== "any");

test.each(sample(formsWithFields, { every: 6, always: ([path]) => path === "/signup" }))(
  "the form at %s never shows a %s a library's error message",
  async (path, who, fields) => {
    const cookie = { visitor: undefined, customer, reviewer, adder, admin }[who];
    const named = namesIn(fields);
    const names = named.map(([name]) => name);
    const fixed = named.filter(([, value]) => value !== undefined);
    // If the intent is missing, no other field is read. One case covers that.
    const cases = [...(fixed.length > 0 ? [] : [names]), ...names.map((name) => [name])];
    const sent = new Set<string>();
    for (const [what, change] of Object.entries(odd)) {
      for (const some of cases.filter((one) => isNew(sent, `${what} ${one.join(" ")}`))) {
        const form = new FormData();
        for (const [name, value] of named) form.set(name, value ?? valid[name] ?? "none");
        for (const name of some) change(form, name);
        const response = await send(path, what === "a file" ? form : asPlain(form), cookie);
        const where = `${what}: ${some.join(" ")}`;
        expect(response.status, where).toBeLessThan(500);
        expect(await response.text(), where).not.toMatch(notOurs);
      }
    }
  },
);

function asPlain(form: FormData): URLSearchParams {
  const texts = [...form].flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new URLSearchParams(texts);
}

type Body = URLSearchParams | FormData;

/** Addresses that accept a text, and who may use them besides visitors. Guards reject others. */
const addresses: [path: string, who: Exclude<Who, "visitor">][] = [
  ["/jobs?search=", "customer"],
  ["/jobs?type=", "customer"],
  ["/jobs?after=", "customer"],
  ["/jobs?place=", "customer"],
  ["/jobs?skill=", "customer"],
  ["/jobs?experience=", "customer"],
  ["/jobs?pay=", "customer"],
  ["/jobs/", "customer"],
  ["/jobs/report/", "customer"],
  ["/jobs/alerts?search=", "customer"],
  ["/jobs/alerts?place=", "customer"],
  ["/alerts/confirm/", "customer"],
  ["/alerts/stop/", "customer"],
  ["/jobs/feed.atom?search=", "customer"],
  ["/jobs/feed.atom?type=", "customer"],
  ["/jobs/feed.atom?place=", "customer"],
  ["/jobs/feed.json?search=", "customer"],
  ["/jobs/feed.json?after=", "customer"],
  ["/places?q=", "customer"],
  ["/sitemaps/", "customer"],
  ["/sitemaps/jobs-", "customer"],
  ["/social/", "customer"],
  ["/social/jobs/", "customer"],
  ["/social/home.png?v=", "customer"],
  ["/service-review/", "customer"],
  ["/service-review?id=", "customer"],
  ["/reviewer?tab=", "reviewer"],
  ["/reviewer?sort=", "reviewer"],
  ["/reviewer/submission/", "reviewer"],
  ["/admin/reviews?type=", "admin"],
  ["/admin/reviews?after=", "admin"],
  ["/admin/reviews?search=", "admin"],
  ["/admin/reviews/completed?search=", "admin"],
  ["/admin/users/", "admin"],
  ["/admin/users?search=", "admin"],
  ["/admin/history?by=", "admin"],
  ["/admin/history?id=", "admin"],
  ["/admin/mail?state=", "admin"],
  ["/admin/mail?drop=", "admin"],
  ["/admin/messages?search=", "admin"],
  ["/admin/messages/", "admin"],
  ["/admin/payments?settle=", "admin"],
  ["/admin/orders?search=", "admin"],
  ["/admin/orders?after=", "admin"],
  ["/admin/orders/", "admin"],
  ["/admin/jobs/reports?after=", "admin"],
  ["/admin/jobs/names?after=", "admin"],
  ["/payment-success?txnId=", "customer"],
  ["/profile/payments?after=", "customer"],
  ["/profile/payments?refund=", "customer"],
  ["/profile/payments/", "customer"],
  ["/login?next=", "customer"],
  ["/storage/resumes/", "customer"],
  ["/demo/mailbox/", "customer"],
  ["/demo/components?page=", "customer"],
  ["/reset-password?type=recovery&token_hash=", "customer"],
  // Guards of staff screens, and the board as it is rendered for admins.
  ["/admin/orders/", "customer"],
  ["/reviewer?tab=", "admin"],
  ["/jobs?search=", "admin"],
];

test.each(sample(addresses, { every: 6, always: ([path]) => path === "/jobs?search=" }))(
  "the address %s accepts any suffix, also from a %s",
  async (path, who) => {
    for (const cookie of [undefined, { customer, reviewer, adder, admin }[who]]) {
      for (const text of Object.values(nasty)) {
        const behind = encodeURIComponent(text.toWellFormed()).slice(0, 8000);
        const headers: Record<string, string> = cookie ? { cookie } : {};
        const response = await plainFetch(app.origin + path + behind, { headers });
        expect(response.status, text.slice(0, 30)).toBeLessThan(500);
        expect(await response.text()).not.toContain("<script>alert(1)</script>");
      }
    }
  },
);

test("a body over the limit is refused before it is read", async () => {
  const response = await send("/login", new URLSearchParams({ email: "x".repeat(2_000_000) }));
  expect(response.status).toBe(413);
});

test.each([
  "application/json",
  "text/plain",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded; charset=utf-7",
])("a form of type %s gets an answer below 500", async (type) => {
  for (const path of paths) {
    const response = await plainFetch(app.origin + path, {
      method: "POST",
      headers: { origin: app.origin, "content-type": type, cookie: customer },
      body: "{ not a form",
    });
    expect(response.status, path).toBeLessThan(500);
  }
});

test.each(["//elsewhere.example/", "//admin", "/auth/v1/token", "/rest/v1/jobs"])(
  "%s answers 404 to GET and POST",
  async (path) => {
    for (const method of ["GET", "POST"]) {
      const response = await plainFetch(app.origin + path, {
        method,
        headers: { origin: app.origin, "content-type": "application/x-www-form-urlencoded" },
      });
      expect(response.status, method).toBe(404);
    }
  },
);

test.each(["/nowhere", "/auth/v1/signup", "/rest/v1/jobs"])(
  "%s answers 404 to POST, PUT and DELETE",
  async (path) => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await plainFetch(app.origin + path, {
        method,
        headers: { origin: app.origin, "content-type": "application/json" },
        body: "{}",
      });
      expect(response.status, method).toBe(404);
    }
  },
);

test.each([
  ["/theme", "/"],
  ["/logout", "/"],
  ["/reset-password/check", "/reset-password"],
  ["/session", "/profile"],
])("opening %s in a browser redirects to a screen", async (path, screen) => {
  const response = await plainFetch(app.origin + path, {
    headers: { accept: "text/html,*/*" },
  });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(screen);
});

test.each(["PUT", "PATCH", "DELETE"])("a %s to a screen is refused", async (method) => {
  for (const path of [
    "/login",
    "/jobs",
    "/profile",
    "/payment-success",
    "/payu-webhook",
    "/uploads/form",
    "/storage/resumes/x",
  ]) {
    const response = await plainFetch(app.origin + path, {
      method,
      headers: { origin: app.origin, cookie: customer },
    });
    expect(response.status, path).toBeGreaterThanOrEqual(400);
    expect(response.status, path).toBeLessThan(500);
  }
});

test.each(["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1:3000"])(
  "a form sent from %s is refused",
  async (origin) => {
    const response = await plainFetch(`${app.origin}/logout`, {
      method: "POST",
      headers: { origin, cookie: customer },
    });
    expect(response.status).toBe(403);
  },
);

test("malformed cookies count as signed out", async () => {
  const port = new URL(app.origin).port;
  for (const value of [
    "",
    "x",
    ".",
    "a.b",
    "%E0%A4%A",
    "%00",
    "a%00b.c",
    "'; drop table sessions; --",
    "x".repeat(3000),
  ]) {
    const response = await plainFetch(`${app.origin}/profile`, {
      headers: {
        cookie: `session-${port}=${value}; known-device-${port}=${value}; toasts=${value}; theme=${value}; held-form=${value}`,
      },
    });
    expect(response.status, value).toBe(302);
    expect(response.headers.get("location")).toContain("/login");
  }
});

type Sent = { method?: string; body?: string | FormData; headers?: Record<string, string> };

test("a NUL character in any part of a request causes no error", async () => {
  const zero = "a%00b";
  const upload = `/uploads/form?purpose=resume&target=${zero}&next=/${zero}`;
  const file = new FormData();
  file.set("fi\u0000le", new Blob(["%PDF-1.7"]), "a\u0000b.pdf");
  const json = JSON.stringify({ txnid: "a\u0000b", status: "\u0000", hash: "\u0000" });
  const encoded = Buffer.from("a\u0000b").toString("base64");
  const tus = { "tus-resumable": "1.0.0", "upload-length": "9" };
  const requests: [path: string, init: Sent][] = [
    [upload, { method: "POST", body: file }],
    [
      "/payu-webhook",
      { method: "POST", body: json, headers: { "content-type": "application/json" } },
    ],
    ...["purpose", "target", "filename"].map((field): (typeof requests)[number] => [
      "/uploads",
      {
        method: "POST",
        headers: { ...tus, "upload-metadata": `purpose cmVzdW1l,${field} ${encoded}` },
      },
    ]),
    ...["HEAD", "PATCH", "DELETE", "GET"].map((method): (typeof requests)[number] => [
      `/uploads/${zero}`,
      { method, headers: { ...tus, "upload-offset": "0" } },
    ]),
    ["/jobs", { headers: { "if-none-match": zero, "x-forwarded-for": zero, purpose: zero } }],
    [`/${zero}`, {}],
    [`/social/jobs/${zero}.png`, {}],
    [`/assets/${zero}.js`, {}],
  ];
  for (const [path, init] of requests) {
    const headers = { origin: app.origin, cookie: `${customer}; theme=${zero}`, ...init.headers };
    const response = await plainFetch(app.origin + path, { ...init, headers });
    expect(response.status, `${init.method ?? "GET"} ${path}`).toBeLessThan(500);
  }
});

/**
 * Returns bodies with the text in one field at a time and valid values in the others; a password is repeated.
 * Fields are checked independently, so filling all of them would find nothing more.
 */
function bodiesOf(fields: string, text: string): URLSearchParams[] {
  const named = namesIn(fields);
  return named.map(([one]) => {
    const isNasty = (name: string) =>
      name === one || (one === "password" && name === "confirmPassword");
    return new URLSearchParams(
      named.map(([name, fixed]) => [
        name,
        fixed ?? (isNasty(name) ? text : (valid[name] ?? "none")),
      ]),
    );
  });
}

function namesIn(fields: string): [name: string, fixed?: string][] {
  return fields.split(" ").map((field) => field.split("=") as [string, string?]);
}

/** Checks whether this was not sent before. Several cases can lead to the same body. */
function isNew(sent: Set<string>, what: URLSearchParams | string): boolean {
  const known = sent.size;
  return sent.add(what.toString()).size > known;
}

function send(path: string, body: Body, cookie?: string): Promise<Answer> {
  return plainFetch(app.origin + path, {
    method: "POST",
    headers: { origin: app.origin, ...(cookie && { cookie }) },
    body,
  });
}
