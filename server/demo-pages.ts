import { desc, eq } from "drizzle-orm";
import { type Context, Hono } from "hono";
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
import { formatShortDateTime } from "../app/platform/clock.ts";
import { isUuid } from "../app/platform/database.server.ts";
import { readTheme } from "../app/site/theme.ts";
import { buildPageStyles, fontPreloads, mark } from "../app/ui/brand/page-styles.server.ts";
import { acceptOnlyForms } from "./http/forms-only.ts";
import type { Env } from "./http/request.ts";

type Page = ReturnType<typeof html>;
/** A page's title and content, without its frame. */
type Content = { title: string; content: Page; isWide?: boolean };

/**
 * Pages that only a demo has: the people to act as, and the inbox with all email.
 */
export function createDemoPages({ db, config }: AppContext): Hono<Env> {
  const pages = new Hono<Env>();
  const respond = (context: Context<Env>, page: Content) => {
    const theme = readTheme(context.req.header("cookie") ?? null, config);
    return context.html(renderDemoPage({ ...page, product: config.product.name, theme }));
  };

  pages.get("/", (context) => respond(context, renderPeople(context.get("actor")?.email)));

  const plainForm = acceptOnlyForms(() => true);
  pages.post("/act-as", plainForm, async (context) => {
    const { email } = await context.req.parseBody();
    const person = demoPeople.find((candidate) => candidate.email === email);
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
    return respond(context, renderMailbox(latest));
  });

  pages.get("/mailbox/:id", async (context) => {
    const mailId = context.req.param("id");
    const [mail] = isUuid(mailId) ? await db.select().from(mails).where(eq(mails.id, mailId)) : [];
    return mail ? respond(context, renderMail(mail)) : context.notFound();
  });
  return pages;
}

function renderPeople(actingAs: string | undefined): Content {
  const people = demoPeople.map(
    ({ fullName, email, about }) => html`
      <li>
        <form method="post" action="/demo/act-as">
          <input type="hidden" name="email" value="${email}" />
          <div>
            <strong>${fullName}</strong>${email === actingAs ? " (you)" : ""}<br />
            ${about ?? ""}<br />
            <small>${email}</small>
          </div>
          <button aria-label="Act as ${fullName}">Act as ${fullName.split(" ")[0]}</button>
        </form>
      </li>
    `,
  );
  return {
    title: "Demo",
    content: html`
      <p>
        These people are made up, payments are not real, and all email goes to the
        <a href="/demo/mailbox">demo inbox</a>. Act as anyone below, or log in with their email and
        the password <strong>${demoPassword}</strong>.
      </p>
      <p>Designers and developers: see all <a href="/demo/components">components</a>.</p>
      <ul>
        ${people}
      </ul>
    `,
  };
}

type ListedMail = {
  id: string;
  recipient: string;
  subject: string;
  createdAt: Date;
  sentAt: Date | null;
};

function renderMailbox(listed: ListedMail[]): Content {
  const list = listed.map(
    ({ id, recipient, subject, createdAt, sentAt }) => html`
      <li class="mail">
        <a href="/demo/mailbox/${id}">${subject}</a>
        <small>To ${recipient}</small>
        <small>${formatShortDateTime(createdAt)}${sentAt ? "" : ", sending"}</small>
      </li>
    `,
  );
  const empty = html`<p>No email yet. Sign up or reset a password to send one.</p>`;
  return {
    title: "Demo inbox",
    content:
      listed.length > 0
        ? html`<ul>
            ${list}
          </ul>`
        : empty,
  };
}

function renderMail(mail: typeof mails.$inferSelect): Content {
  // Links in the email open in the top window, not inside the frame.
  const framed = mail.html.replace("<head>", '<head><base target="_top">');
  return {
    title: mail.subject,
    isWide: true,
    content: html`
      <p>
        To ${mail.recipient},
        ${formatShortDateTime(mail.createdAt)}${mail.replyTo && html`<br />Replies go to ${mail.replyTo}`}
      </p>
      <div class="parts">
        <iframe
          title="Email preview"
          srcdoc="${framed}"
          sandbox="allow-top-navigation-by-user-activation"
        ></iframe>
        <section>
          <h2>Plain text</h2>
          <pre>${raw(renderLinks(mail.text))}</pre>
        </section>
      </div>
    `,
  };
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

const styles = `
${buildPageStyles()}
header, main { width: min(46rem, 100% - 2 * var(--gutter)); margin-inline: auto; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.25rem; padding: 1.25rem 0 0; }
header a { display: inline-grid; align-items: center; min-height: 2.75rem; font-size: var(--text-sm); }
header .wordmark { display: inline-flex; margin-inline-end: auto; font-size: var(--text-xl); }
main { padding: 1.5rem 0 4rem; }
.wide :is(header, main) { width: min(70rem, 100% - 2 * var(--gutter)); }
h1 { margin-bottom: 1rem; }
main > p { max-width: 38rem; margin-bottom: 1rem; }
small { color: var(--color-ink-soft); font-size: var(--text-sm); line-height: var(--text-sm--line-height); }
ul { margin: 1.5rem 0 0; padding: 0; border-top: 2px solid var(--color-ink); list-style: none; }
li { padding: 0.9rem 0; border-bottom: 1px solid var(--color-line); line-height: 1.45; }
form { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0.75rem; }
button { min-width: 9.5rem; min-height: 2.75rem; padding: 0 1rem; border: 0; border-radius: var(--radius-sm); background: var(--color-fill); color: var(--color-on-fill); font-weight: 600; font-size: var(--text-sm); }
button:hover { background: var(--color-fill-hover); }
.mail { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.1rem 1rem; }
.mail a { grid-column: 1 / -1; justify-self: start; font-weight: 600; }
.parts { display: grid; gap: 2rem; }
iframe { width: 100%; height: 46rem; border: 1px solid var(--color-line); background: var(--color-paper); }
pre { margin: 0.75rem 0 0; font: inherit; font-size: var(--text-sm); overflow-wrap: anywhere; white-space: pre-wrap; }
@media (width >= 64rem) {
  .parts { grid-template-columns: 40rem minmax(0, 1fr); }
}
@media (width < 30rem) {
  button { min-width: 8rem; }
  .mail { grid-template-columns: minmax(0, 1fr); }
}
`;

function renderDemoPage(page: Content & { product: string; theme: string }): Page {
  const { title, content, isWide, product, theme } = page;
  return html`<!doctype html>
    <html lang="en-IN" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.ico" />
        <meta name="robots" content="noindex" />
        <title>${title} - ${product} demo</title>
        ${raw(fontPreloads)}
        <style>
          ${raw(styles)}
        </style>
      </head>
      <body class="${isWide ? "wide" : ""}">
        <header>
          <a class="wordmark" href="/">${raw(mark)} ${product}</a>
          <a href="/demo">People</a>
          <a href="/demo/mailbox">Inbox</a>
        </header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
}
