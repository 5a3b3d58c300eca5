import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import { demoPeople, demoPassword } from "../db/demo/people.ts";
import { homeOf, roleFlags } from "../app/accounts/roles.ts";
import { openSession, sessionCookie, sessionToken } from "../app/accounts/session.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { mails } from "../app/mail/tables.server.ts";
import type { AppContext } from "../app/platform/app-context.server.ts";
import { isUuid } from "../app/platform/database.server.ts";
import { formsOnly } from "./http/forms-only.ts";
import type { Env } from "./http/request.ts";

type Page = ReturnType<typeof html>;

/**
 * The demonstration's own pages, which a real installation does not have: whom one can act as, and
 * the mailbox in which all mail is caught.
 */
export function demoPages({ db, config }: AppContext): Hono<Env> {
  const pages = new Hono<Env>();

  pages.get("/", (context) =>
    context.html(peoplePage(config.product.name, context.get("actor")?.email)),
  );

  const plainForm = formsOnly(() => true);
  pages.post("/act-as", plainForm, async (context) => {
    const { email } = await context.req.parseBody();
    const person = demoPeople.find((known) => known.email === email);
    const [user] = person
      ? await db.select({ id: users.id }).from(users).where(eq(users.email, person.email))
      : [];
    if (!person || !user) return context.text("The demonstration has no such person.", 404);
    const { clientAddress, setCookies } = context.get("facts");
    const { headers } = context.req.raw;
    const session = await openSession(db, user.id, {
      clientAddress,
      userAgent: headers.get("user-agent"),
      formerToken: sessionToken(config, headers.get("cookie")),
    });
    setCookies.push(sessionCookie(config, session));
    return context.redirect(homeOf(roleFlags(person.roles ?? [])), 303);
  });

  pages.get("/mailbox", async (context) => {
    const { id, recipient, subject, createdAt, sentAt } = mails;
    const caught = await db
      .select({ id, recipient, subject, createdAt, sentAt })
      .from(mails)
      .orderBy(desc(createdAt), id)
      .limit(200);
    return context.html(mailboxPage(config.product.name, caught));
  });

  pages.get("/mailbox/:id", async (context) => {
    const mailId = context.req.param("id");
    const [mail] = isUuid(mailId) ? await db.select().from(mails).where(eq(mails.id, mailId)) : [];
    return mail ? context.html(mailPage(config.product.name, mail)) : context.notFound();
  });
  return pages;
}

function peoplePage(product: string, actingAs: string | undefined): Page {
  return page(
    product,
    "Demonstration",
    html`
      <p>
        Everybody here is made up, no money moves, and all mail is caught in the
        <a href="/demo/mailbox">mailbox</a>. Act as anybody below, or sign in with the address and
        <code>${demoPassword}</code>.
      </p>
      <ul class="people">
        ${demoPeople.map(
          ({ fullName, email, about }) => html`
            <li>
              <form method="post" action="/demo/act-as">
                <input type="hidden" name="email" value="${email}" />
                <div>
                  <strong>${fullName}</strong
                  >${email === actingAs ? " (you)" : ""}<br />${about ?? ""}<br /><small
                    >${email}</small
                  >
                </div>
                <button aria-label="Act as ${fullName}">Act as ${fullName.split(" ")[0]}</button>
              </form>
            </li>
          `,
        )}
      </ul>
    `,
  );
}

type Caught = {
  id: string;
  recipient: string;
  subject: string;
  createdAt: Date;
  sentAt: Date | null;
};

function mailboxPage(product: string, caught: Caught[]): Page {
  const list = caught.map(
    ({ id, recipient, subject, createdAt, sentAt }) => html`
      <li>
        <a href="/demo/mailbox/${id}">${subject}</a><br />
        <small>to ${recipient}, ${createdAt.toISOString()}${sentAt ? "" : ", on its way"}</small>
      </li>
    `,
  );
  const empty = html`<p>No mail yet. Sign up, or ask for a new password, and look again.</p>`;
  return page(
    product,
    "Mailbox",
    caught.length > 0
      ? html`<ul class="mails">
          ${list}
        </ul>`
      : empty,
  );
}

function mailPage(product: string, mail: typeof mails.$inferSelect): Page {
  // The links of the mail open in the whole window, as they would from a mail program.
  const framed = mail.html.replace("<head>", '<head><base target="_top">');
  return page(
    product,
    mail.subject,
    html`
      <p><a href="/demo/mailbox">Back to the mailbox</a></p>
      <p>
        To ${mail.recipient},
        ${mail.createdAt.toISOString()}${mail.replyTo && html`<br />Answers go to ${mail.replyTo}`}
      </p>
      <iframe
        title="The mail as it looks"
        srcdoc="${framed}"
        sandbox="allow-top-navigation-by-user-activation"
      ></iframe>
      <h2>As plain text</h2>
      <pre>${raw(linked(mail.text))}</pre>
    `,
  );
}

function linked(text: string): string {
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  return escaped.replace(
    /https?:\/\/[^\s<"]+/g,
    (address) => `<a href="${address}">${address}</a>`,
  );
}

const style = `
  :root { color-scheme: light dark; --paper: light-dark(#f6f1e6, #14191f); --ink: light-dark(#1d2433, #ece5d6); --line: light-dark(#d3c9b3, #3a424c); --link: light-dark(#1a5a70, #86c5d8); }
  * { box-sizing: border-box; }
  body { background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; }
  h1 { font-size: 1.75rem; line-height: 1.2; } a { color: var(--link); } pre, code { overflow-wrap: anywhere; white-space: pre-wrap; }
  ul { list-style: none; padding: 0; } li { border-top: 1px solid var(--line); padding: 0.75rem 0; }
  form { align-items: center; display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: space-between; margin: 0; }
  button { background: var(--ink); border: 0; color: var(--paper); cursor: pointer; font: inherit; min-height: 44px; padding: 0 1.25rem; }
  iframe { background: #f4efe4; border: 1px solid var(--line); height: 34rem; width: 100%; } small { opacity: 0.8; }
  :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`;

function page(product: string, title: string, content: Page): Page {
  return html`<!doctype html>
    <html lang="en-IN">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <meta name="robots" content="noindex" />
        <title>${title} - ${product} demo</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <nav><a href="/">Back to ${product}</a></nav>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
