import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Everybody, people } from "./support/rows/people.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";

/** Whatever is typed or sent, the answer is clear and below 500, and nothing of it is run. */

const nasty: Record<string, string> = {
  nothing: "",
  blanks: "   \t\n ",
  "100 kB": "x".repeat(100_000),
  Hindi: "आशा वर्मा, जयपुर",
  emoji: "👩🏽‍🎨🇮🇳",
  "control characters": "a\u0000b\u0007c\u001b[31m\u202e",
  "half a character": "\ud83d",
  HTML: `"><script>alert(1)</script><img src=x onerror=alert(1)>`,
  SQL: "'; drop table users; --",
  "a wild search": "%_\\%' or 1=1",
  "a path": "../../../../etc/passwd",
  "a number": "-1e309",
  JSON: `{"$ne":null,"__proto__":{"isGodAdmin":true}}`,
  "as long as an id": "-".repeat(36),
};

/** What is usually typed, by the field's name. */
const usual: Record<string, string> = {
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

type Who = "visitor" | "customer" | "reviewer" | "admin";

/** Every form, who may send it, and its fields; `intent=pay` is a field whose value is fixed. */
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
  ["/theme", "visitor", "theme next"],
  ["/logout", "visitor", "any"],
  ["/jobs", "visitor", "any"],
  ["/payment-success", "visitor", "txnid status hash amount"],
  ["/payment-failure", "visitor", "txnid status hash amount"],
  ["/payu-webhook", "visitor", "txnid status hash amount"],
  ["/uploads/form?purpose=resume&target=resume_review&next=/", "visitor", "file"],
  ["/contact", "visitor", "name email subject message"],
  ["/services/resume-review", "customer", "intent=pay phone despite"],
  ["/services/resume-review", "customer", "intent=save-brief targetRole years question1 question3"],
  [`/service-review/${randomUUID()}`, "customer", "intent=rate rating words"],
  ["/services/portfolio-review", "customer", "intent=save-portfolio portfolioUrl"],
  ["/services/portfolio-review", "customer", "intent=look-at-portfolio address opens"],
  ["/services/combined-review", "customer", "intent phone portfolioUrl"],
  ["/profile", "customer", "any"],
  ["/profile/payments", "customer", "intent=refund orderId reason"],
  ["/reviewer/about-you", "reviewer", "firstName field about"],
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
  ["/profile/mails", "customer", "review-assigned review-ready"],
  ["/profile/passkeys", "customer", "intent=add-passkey name response"],
  ["/profile/passkeys", "customer", "intent=rename-passkey id name"],
  ["/profile/second-factor", "customer", "intent=confirm-app code"],
  ["/subscription", "customer", "intent subscriptionId"],
  [`/reviewer/submission/${randomUUID()}`, "reviewer", "intent=submit feedback version"],
  ["/reviewer/submission/none", "reviewer", "intent=remove kind id"],
  [`/reviewer/submission/${randomUUID()}/draft`, "reviewer", "feedback version"],
  [`/reviewer/submission/${randomUUID()}`, "reviewer", "intent=save-remark id target x text base"],
  [`/reviewer/submission/${randomUUID()}/remarks`, "reviewer", "intent=save-phrase text"],
  [`/reviewer/submission/${randomUUID()}/remarks`, "reviewer", "intent=score criterion score"],
  [`/reviewer/submission/${randomUUID()}`, "reviewer", "intent=answer position answer seen"],
  ["/admin/reviews/completed", "admin", "intent=answer reviewId position answer seen"],
  [`/admin/reviews/${randomUUID()}/remarks`, "admin", "intent=save-remark id target x text base"],
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
  ["/admin/payments", "admin", "intent=look-into orderId note"],
  ["/admin/payments", "admin", "intent=ask orderId"],
  ["/admin/orders/TXN_NONE", "admin", "intent=refund reason"],
  ["/admin/orders/TXN_NONE", "admin", "intent=decline-refund refundId answer"],
  ["/admin/jobs", "admin", "intent id title company location jobType description"],
];
const paths = [...new Set(forms.map(([path]) => path))];

let app: RunningApp;
let customer: string;
let reviewer: string;
let admin: string;

beforeAll(async () => {
  let everybody!: Everybody;
  app = await runningApp(async (db) => {
    everybody = await people(db);
  });
  customer = await app.cookieOf(everybody.asha);
  reviewer = await app.cookieOf(everybody.meera);
  admin = await app.cookieOf(everybody.gita);
});

test.each(forms)(
  "the form at %s answers a %s clearly, whatever its fields hold",
  async (path, who, fields) => {
    const cookie = { visitor: undefined, customer, reviewer, admin }[who];
    const sent = new Set<string>();
    for (const [what, text] of Object.entries(nasty)) {
      for (const body of bodiesOf(fields, text).filter((one) => isNew(sent, one))) {
        const response = await send(path, body, cookie);
        expect(response.status, `${what} in ${body.toString().slice(0, 80)}`).toBeLessThan(500);
        expect(await response.text()).not.toContain("<script>alert(1)</script>");
      }
    }
  },
  60_000,
);

/** How a field may come other than as one text that fits. */
const odd: Record<string, (form: URLSearchParams, name: string) => void> = {
  absent: (form, name) => form.delete(name),
  doubled: (form, name) => form.append(name, "once more"),
  empty: (form, name) => form.set(name, ""),
  NUL: (form, name) => form.set(name, "\u0000"),
  "1 MB": (form, name) => form.set(name, "x".repeat(1_000_000)),
};

/** What the library that checks forms says of its own accord. */
const notOurs =
  /Invalid (input|option|string|number|key|element)\b|expected (string|number|one of)|Too (big|small):|Unrecognized key/;

const formsWithFields = forms.filter(([, , fields]) => fields !== "any");

test.each(formsWithFields)(
  "no form at %s, sent by a %s, is answered in a library's words",
  async (path, who, fields) => {
    const cookie = { visitor: undefined, customer, reviewer, admin }[who];
    const names = fields.split(" ").map((field) => field.split("=") as [string, string?]);
    const filled = () =>
      new URLSearchParams(names.map(([name, fixed]) => [name, fixed ?? usual[name] ?? "none"]));
    for (const spoiled of [names, ...names.map((name) => [name])]) {
      const bodies = Object.entries(odd).map(([what, spoil]): [string, Body] => {
        const body = filled();
        for (const [name] of spoiled) spoil(body, name);
        return [what, body];
      });
      const withFiles = new FormData();
      for (const [name, value] of filled()) withFiles.set(name, value);
      for (const [name] of spoiled) withFiles.set(name, new File(["x"], "x.txt"));
      for (const [what, body] of [...bodies, ["a file", withFiles] as const]) {
        const sent = `${what}: ${spoiled.map(([name]) => name).join(" ")}`;
        const response = await send(path, body, cookie);
        expect(response.status, sent).toBeLessThan(500);
        expect(await response.text(), sent).not.toMatch(notOurs);
      }
    }
  },
  60_000,
);

type Body = URLSearchParams | FormData;

test.each([
  "/jobs?search=",
  "/jobs?type=",
  "/jobs?after=",
  "/jobs/",
  "/jobs/feed.atom?search=",
  "/jobs/feed.atom?type=",
  "/jobs/feed.json?search=",
  "/jobs/feed.json?after=",
  "/sitemaps/",
  "/sitemaps/jobs-",
  "/social/",
  "/social/jobs/",
  "/social/home.png?v=",
  "/service-review/",
  "/service-review?id=",
  "/reviewer?tab=",
  "/reviewer?sort=",
  "/reviewer/submission/",
  "/admin/reviews?type=",
  "/admin/reviews?after=",
  "/admin/users/",
  "/admin/users?search=",
  "/admin/history?by=",
  "/admin/history?id=",
  "/admin/mail?state=",
  "/admin/mail?drop=",
  "/admin/messages?search=",
  "/admin/messages/",
  "/admin/payments?settle=",
  "/admin/orders?search=",
  "/admin/orders?after=",
  "/admin/orders/",
  "/payment-success?txnId=",
  "/profile/payments?after=",
  "/profile/payments?refund=",
  "/profile/payments/",
  "/login?next=",
  "/storage/resumes/",
  "/demo/mailbox/",
  "/reset-password?type=recovery&token_hash=",
])("the address %s takes anything behind it", async (path) => {
  for (const cookie of [undefined, customer, reviewer, admin]) {
    for (const text of Object.values(nasty)) {
      const response = await plainFetch(
        app.origin + path + encodeURIComponent(text.toWellFormed()).slice(0, 8000),
        {
          headers: cookie ? { cookie } : {},
        },
      );
      expect(response.status, text.slice(0, 30)).toBeLessThan(500);
      expect(await response.text()).not.toContain("<script>alert(1)</script>");
    }
  }
});

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
])("a form of type %s is answered, not crashed on", async (type) => {
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
  "nothing is found at %s, by reading or by sending",
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
  "whatever is sent to %s, and in whichever way, there is nothing",
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
])("who opens %s by hand finds a screen", async (path, screen) => {
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

test("malformed cookies make a visitor, not an error", async () => {
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

test("the zero character is no error in any part of a request", async () => {
  const zero = "a%00b";
  const upload = `/uploads/form?purpose=resume&target=${zero}&next=/${zero}`;
  const file = new FormData();
  file.set("fi\u0000le", new Blob(["%PDF-1.7"]), "a\u0000b.pdf");
  const json = JSON.stringify({ txnid: "a\u0000b", status: "\u0000", hash: "\u0000" });
  const encoded = Buffer.from("a\u0000b").toString("base64");
  const tus = { "tus-resumable": "1.0.0", "upload-length": "9" };
  const asked: [path: string, init: Sent][] = [
    [upload, { method: "POST", body: file }],
    [
      "/payu-webhook",
      { method: "POST", body: json, headers: { "content-type": "application/json" } },
    ],
    ...["purpose", "target", "filename"].map((field): (typeof asked)[number] => [
      "/uploads",
      {
        method: "POST",
        headers: { ...tus, "upload-metadata": `purpose cmVzdW1l,${field} ${encoded}` },
      },
    ]),
    ...["HEAD", "PATCH", "DELETE", "GET"].map((method): (typeof asked)[number] => [
      `/uploads/${zero}`,
      { method, headers: { ...tus, "upload-offset": "0" } },
    ]),
    ["/jobs", { headers: { "if-none-match": zero, "x-forwarded-for": zero, purpose: zero } }],
    [`/${zero}`, {}],
    [`/social/jobs/${zero}.png`, {}],
    [`/assets/${zero}.js`, {}],
  ];
  for (const [path, init] of asked) {
    const headers = { origin: app.origin, cookie: `${customer}; theme=${zero}`, ...init.headers };
    const response = await plainFetch(app.origin + path, { ...init, headers });
    expect(response.status, `${init.method ?? "GET"} ${path}`).toBeLessThan(500);
  }
});

/** The text in every field at once, and then in each by itself beside what is usual. */
function bodiesOf(fields: string, text: string): URLSearchParams[] {
  const named = fields.split(" ").map((field) => field.split("=") as [string, string?]);
  const filled = (nastyOnes: (name: string) => boolean) =>
    new URLSearchParams(
      named.map(([name, fixed]) => [
        name,
        fixed ?? (nastyOnes(name) ? text : (usual[name] ?? "none")),
      ]),
    );
  return [filled(() => true), ...named.map(([one]) => filled((name) => name === one))];
}

/** Whether this was not sent before: a field by itself may be all that there is, or hold what it always holds. */
function isNew(sent: Set<string>, body: URLSearchParams): boolean {
  const known = sent.size;
  return sent.add(body.toString()).size > known;
}

function send(path: string, body: Body, cookie?: string): Promise<Answer> {
  return plainFetch(app.origin + path, {
    method: "POST",
    headers: { origin: app.origin, ...(cookie && { cookie }) },
    body,
  });
}
