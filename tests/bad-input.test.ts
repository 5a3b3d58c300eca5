import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { type Everybody, people } from "./support/rows/people.ts";
import { type Answer, plainFetch } from "./support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "./support/product/running.ts";
import { sample } from "./support/inventory/selection.ts";
import { forms, type SentForm, unknownFacts, valid } from "./support/inventory/forms.ts";
import { type Persona, senders } from "./support/inventory/permissions.ts";
import { type ScreenRow, screens } from "./support/inventory/screens.ts";

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

type Case = {
  route: string;
  path: string;
  who: Persona;
  intent: string;
  /** Valid values of its fields. */
  fields: Record<string, string>;
};

const facts = unknownFacts();
const intents = Map.groupBy(
  forms.filter(({ intent }) => intent !== ""),
  ({ route }) => route,
);
const cases: Case[] = [
  ...forms.map(caseOf),
  // The intent itself may be anything.
  ...[...intents.values()].map(([form]) => ({
    ...caseOf(form!),
    intent: "",
    fields: { intent: "none" },
  })),
  // Screens without a form, forms that other people send, and answers besides the screens.
  other("/jobs", "visitor", "any"),
  other("/profile", "customer", "any"),
  other(`/jobs/${randomUUID()}/report`, "customer", "reason text"),
  other(`/jobs/${randomUUID()}/save`, "visitor", "intent from"),
  other("/jobs/alerts?discipline=ux", "customer", "frequency"),
  other("/alerts/stop/none", "visitor", "List-Unsubscribe"),
  other("/admin/jobs/checks?only=none", "admin", "job"),
  other("/payment-success", "visitor", "txnid status hash amount"),
  other("/payment-failure", "visitor", "txnid status hash amount"),
  other("/payu-webhook", "visitor", "txnid status hash amount"),
  other("/uploads/form?purpose=resume&target=resume_review&next=/", "visitor", "file"),
];
const paths = [...new Set(cases.map(({ path }) => path))];

function caseOf({ route, intent, at, fields, more, who }: SentForm): Case {
  const rest = Object.fromEntries(more.map((name) => [name, valid[name] ?? "none"]));
  const sender = who === senders ? "visitor" : getSender(screens[route]!);
  return { route, path: at(facts), who: sender, intent, fields: { ...rest, ...fields(facts) } };
}

function other(path: string, who: Persona, names: string): Case {
  const fields = Object.fromEntries(names.split(" ").map((name) => [name, "none"]));
  return { route: path.replace(/[0-9a-f-]{36}/, ":id"), path, who, intent: "", fields };
}

/** Returns a person who can open a screen; a customer if they can. */
function getSender({ who }: ScreenRow): Persona {
  return who.includes("customer") ? "customer" : (who.at(-1) ?? "visitor");
}

let app: RunningApp;
const cookies = new Map<Persona, string>();
let customer: string;

beforeAll(async () => {
  let everybody!: Everybody;
  app = await runningApp(async (db) => {
    everybody = await people(db);
  });
  const { asha, meera, devi, gita } = everybody;
  const actors = { customer: asha, reviewer: meera, adder: devi, admin: gita };
  for (const [persona, actor] of Object.entries(actors))
    cookies.set(persona as Persona, await app.cookieOf(actor));
  customer = cookies.get("customer")!;
});

/** Messages of the form library. */
const notOurs =
  /Invalid (input|option|string|number|key|element)\b|expected (string|number|one of)|Too (big|small):|Unrecognized key/;

const isAlwaysTried = ({ route }: Case) => ["/login", "/contact", "/signup"].includes(route);

test.each(sample(cases, { every: 9, always: isAlwaysTried }))(
  "the form $intent at $route gives a $who a clear error for any input",
  async ({ path, who, ...form }) => {
    for (const [what, text] of Object.entries(nasty)) {
      for (const body of bodiesOf(form, text)) {
        const response = await send(path, body, cookies.get(who));
        const where = `${what} in ${body.toString().slice(0, 80)}`;
        expect(response.status, where).toBeLessThan(500);
        const answer = await response.text();
        expect(answer, where).not.toContain("<script>alert(1)</script>");
        expect(answer, where).not.toMatch(notOurs);
      }
    }
  },
);

/** Invalid ways to send a field. */
const odd: Record<string, (form: FormData, name: string) => void> = {
  absent: (form, name) => form.delete(name),
  doubled: (form, name) => form.append(name, "once more"),
  "a file": (form, name) => form.set(name, new File(["x"], "x.txt")),
};

const casesWithFields = cases.filter(({ fields }) => Object.keys(fields).length > 0);

test.each(sample(casesWithFields, { every: 9, always: isAlwaysTried }))(
  "the form $intent at $route never shows a $who a library's error message",
  async ({ path, who, intent, fields }) => {
    const names = Object.keys(fields);
    const all = names.length > 1 ? [names] : [];
    for (const [what, change] of Object.entries(odd)) {
      for (const some of [...all, ...names.map((name) => [name])]) {
        const form = new FormData();
        for (const [name, value] of Object.entries({ ...(intent && { intent }), ...fields }))
          form.set(name, value);
        for (const name of some) change(form, name);
        const body = what === "a file" ? form : asPlain(form);
        const response = await send(path, body, cookies.get(who));
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

type Address = [before: string, after: string, who: Persona];

const handlerAddresses =
  "/jobs/feed.atom?search= /jobs/feed.atom?type= /jobs/feed.atom?place= /jobs/feed.json?search= " +
  "/jobs/feed.json?after= /places?q= /sitemaps/ /sitemaps/jobs- /social/ /social/jobs/ " +
  "/social/home.png?v= /storage/resumes/ /demo/mailbox/";

/** Addresses that accept a text, and who may use them besides visitors. Guards reject others. */
const addresses: Address[] = [
  ...Object.entries(screens).flatMap(([route, row]) => addressesOf(route, row)),
  ...handlerAddresses.split(" ").map((path): Address => [path, "", "customer"]),
  // Guards of staff screens, and the board as it is rendered for admins.
  ["/admin/orders/", "", "customer"],
  ["/reviewer?tab=", "", "admin"],
  ["/jobs?search=", "", "admin"],
];

/** Lists a screen's address with a text as its id, and with a text in its query. */
function addressesOf(route: string, row: ScreenRow): Address[] {
  const [before = "", after] = route.split(/:\w+\??/);
  const path = before === "/" ? before : before.replace(/\/$/, "");
  const names = row.queries?.split(" ") ?? [];
  return [
    ...(after === undefined ? [] : [[before, after] as const]),
    ...names.map((name) => [`${path}?${name}=`, ""] as const),
  ].map(([start, end]) => [start, end, getSender(row)]);
}

test.each(sample(addresses, { every: 6, always: ([before]) => before === "/jobs?search=" }))(
  "the address %s…%s accepts any text, also from a %s",
  async (before, after, who) => {
    for (const cookie of [undefined, cookies.get(who)]) {
      for (const text of Object.values(nasty)) {
        const typed = encodeURIComponent(text.toWellFormed()).slice(0, 8000);
        const headers: Record<string, string> = cookie ? { cookie } : {};
        const response = await plainFetch(app.origin + before + typed + after, { headers });
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
  const response = await plainFetch(app.origin + path, { headers: { accept: "text/html,*/*" } });
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
function bodiesOf({ intent, fields }: Pick<Case, "intent" | "fields">, text: string) {
  const names = Object.keys(fields);
  return (names.length > 0 ? names : ["any"]).map((name) => {
    const both = name === "password" && "confirmPassword" in fields;
    return new URLSearchParams({
      ...(intent && { intent }),
      ...fields,
      [name]: text,
      ...(both && { confirmPassword: text }),
    });
  });
}

function send(path: string, body: Body, cookie?: string): Promise<Answer> {
  return plainFetch(app.origin + path, {
    method: "POST",
    headers: { origin: app.origin, ...(cookie && { cookie }) },
    body,
  });
}
