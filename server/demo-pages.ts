import { desc, eq } from "drizzle-orm";
import { Hono } from "hono";
import { html, raw } from "hono/html";
import { demoPeople, demoPassword } from "../db/demo/people.ts";
import { getHomePath, toRoleFlags } from "../app/accounts/roles.ts";
import {
  openSession,
  buildSessionCookie,
  readSessionToken,
} from "../app/accounts/session.server.ts";
import { users } from "../app/accounts/tables.server.ts";
import { mails } from "../app/mail/tables.server.ts";
import type { AppContext } from "../app/platform/app-context.server.ts";
import { isUuid } from "../app/platform/database.server.ts";
import { acceptOnlyForms } from "./http/forms-only.ts";
import type { Env } from "./http/request.ts";

type Page = ReturnType<typeof html>;

/**
 * Pages that only a demo has: the people to act as, and the inbox with all email.
 */
export function createDemoPages({ db, config }: AppContext): Hono<Env> {
  const pages = new Hono<Env>();

  pages.get("/", (context) =>
    context.html(renderPeoplePage(config.product.name, context.get("actor")?.email)),
  );

  const plainForm = acceptOnlyForms(() => true);
  pages.post("/act-as", plainForm, async (context) => {
    const { email } = await context.req.parseBody();
    const person = demoPeople.find((known) => known.email === email);
    const [user] = person
      ? await db.select({ id: users.id }).from(users).where(eq(users.email, person.email))
      : [];
    if (!person || !user) return context.text("The demo has no such person.", 404);
    const { clientAddress, setCookies } = context.get("facts");
    const { headers } = context.req.raw;
    const session = await openSession(db, user.id, {
      clientAddress,
      userAgent: headers.get("user-agent"),
      formerToken: readSessionToken(config, headers.get("cookie")),
    });
    setCookies.push(buildSessionCookie(config, session));
    return context.redirect(getHomePath(toRoleFlags(person.roles ?? [])), 303);
  });

  pages.get("/mailbox", async (context) => {
    const { id, recipient, subject, createdAt, sentAt } = mails;
    const latest = await db
      .select({ id, recipient, subject, createdAt, sentAt })
      .from(mails)
      .orderBy(desc(createdAt), id)
      .limit(200);
    return context.html(renderMailboxPage(config.product.name, latest));
  });

  pages.get("/mailbox/:id", async (context) => {
    const mailId = context.req.param("id");
    const [mail] = isUuid(mailId) ? await db.select().from(mails).where(eq(mails.id, mailId)) : [];
    return mail ? context.html(renderMailPage(config.product.name, mail)) : context.notFound();
  });
  return pages;
}

function renderPeoplePage(product: string, actingAs: string | undefined): Page {
  return renderDemoPage(
    product,
    "Demo",
    html`
      <p>
        These people are made up, payments are not real, and all email goes to the
        <a href="/demo/mailbox">demo inbox</a>. Act as anyone below, or log in with their email and
        the password <code>${demoPassword}</code>.
      </p>
      <p>Designers and developers: see all <a href="/demo/components">components</a>.</p>
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

type ListedMail = {
  id: string;
  recipient: string;
  subject: string;
  createdAt: Date;
  sentAt: Date | null;
};

function renderMailboxPage(product: string, listed: ListedMail[]): Page {
  const list = listed.map(
    ({ id, recipient, subject, createdAt, sentAt }) => html`
      <li>
        <a href="/demo/mailbox/${id}">${subject}</a><br />
        <small>to ${recipient}, ${createdAt.toISOString()}${sentAt ? "" : ", sending"}</small>
      </li>
    `,
  );
  const empty = html`<p>No email yet. Sign up or reset a password to send one.</p>`;
  return renderDemoPage(
    product,
    "Demo inbox",
    listed.length > 0
      ? html`<ul class="mails">
          ${list}
        </ul>`
      : empty,
  );
}

function renderMailPage(product: string, mail: typeof mails.$inferSelect): Page {
  // Links in the email open in the top window, not inside the frame.
  const framed = mail.html.replace("<head>", '<head><base target="_top">');
  return renderDemoPage(
    product,
    mail.subject,
    html`
      <p><a href="/demo/mailbox">Back to the demo inbox</a></p>
      <p>
        To ${mail.recipient},
        ${mail.createdAt.toISOString()}${mail.replyTo && html`<br />Replies go to ${mail.replyTo}`}
      </p>
      <iframe
        title="Email preview"
        srcdoc="${framed}"
        sandbox="allow-top-navigation-by-user-activation"
      ></iframe>
      <h2>Plain text</h2>
      <pre>${raw(renderLinks(mail.text))}</pre>
    `,
  );
}

function renderLinks(text: string): string {
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
  :root { color-scheme: light dark; --paper: light-dark(#f3f1e8, #0b1720); --sheet: light-dark(#fbfaf5, #11212b); --ink: light-dark(#17211f, #eeeadd); --soft: light-dark(#46524e, #b9c1ba); --line: light-dark(#d0cdbf, #2c3b3f); --link: light-dark(#0d5687, #8cc8f0); }
  * { box-sizing: border-box; }
  html { background: linear-gradient(var(--ink) 0 0) 0 7px / 100% 1px no-repeat, linear-gradient(90deg, var(--ink) 50%, var(--sheet) 50%) 0 0 / 5rem 8px repeat-x var(--paper); }
  body { color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 46rem; padding: 2rem 1rem 4rem; text-wrap: pretty; }
  h1, h2 { letter-spacing: -0.02em; line-height: 1.15; text-wrap: balance; } h1 { font-size: clamp(1.875rem, 1.5rem + 1.7vw, 2.625rem); margin: 1rem 0; }
  a { color: var(--link); text-underline-offset: 0.2em; } pre, code { font-family: inherit; overflow-wrap: anywhere; white-space: pre-wrap; }
  ul { border-top: 2px solid var(--ink); list-style: none; margin: 1.5rem 0 0; padding: 0; } li { border-bottom: 1px solid var(--line); line-height: 1.45; padding: 0.85rem 0; }
  form { align-items: center; display: grid; gap: 0.75rem; grid-template-columns: minmax(0, 1fr) auto; margin: 0; }
  button { background: var(--ink); border: 0; border-radius: 2px; color: var(--paper); cursor: pointer; font: 600 0.9375rem/1.2 system-ui, sans-serif; min-height: 44px; min-width: 9.75rem; padding: 0 1rem; }
  iframe { background: #f3f1e8; border: 1px solid var(--line); height: 34rem; width: 100%; } small { color: var(--soft); }
  :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`;

function renderDemoPage(product: string, title: string, content: Page): Page {
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
