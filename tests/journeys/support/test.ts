import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { openSession, getSessionCookieName } from "../../../app/accounts/session.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { type RunningProduct, startProduct } from "./product.ts";

export { expect } from "@playwright/test";

type TestFixtures = {
  /** Opens a new browser, signed in as a demo person, at a path if one is given. */
  browserOf: (email: string, path?: string) => Promise<Page>;
};

/** Runs a journey against a running product. An error in a browser's console fails it. */
export const test = base.extend<TestFixtures, { product: RunningProduct }>({
  product: [
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 600_000 },
  ],

  baseURL: async ({ product }, use) => use(product.origin),

  page: async ({ page, javaScriptEnabled }, use) => use(javaScriptEnabled ? whenLive(page) : page),

  context: async ({ context, product }, use) => {
    const problems = watchConsole(context);
    await use(context);
    throwProblems(problems, product);
  },

  browserOf: async ({ browser, product }, use) => {
    const contexts: BrowserContext[] = [];
    const problems: string[][] = [];
    await use(async (email, path) => {
      const context = await browser.newContext({ baseURL: product.origin });
      contexts.push(context);
      problems.push(watchConsole(context));
      await signInByCookie(context, product, email);
      const page = whenLive(await context.newPage());
      if (path !== undefined) await page.goto(path);
      return page;
    });
    for (const context of contexts) await context.close();
    throwProblems(problems.flat(), product);
  },
});

/**
 * Makes `goto` and `reload` wait until scripts run. Scripts load after the first paint, and clicks before that
 * are handled without them.
 */
export function whenLive(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  // Looks at each frame. A locator would look every half second after the first tries.
  const live = () => page.waitForFunction(isLive);
  page.goto = async (...args) => {
    const response = await goto(...args);
    await live();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await live();
    return response;
  };
  return page;
}

/** Loads a page again with its fonts. Those that come late wait for the next page, and the system's are wider. */
export async function reloadWithFonts(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.reload();
}

function isLive(): boolean {
  return document.documentElement.matches("[data-live], :not(:has(script))");
}

/** Gives the browser a session without the login form, which has its own journeys. */
export async function signInByCookie(
  context: BrowserContext,
  product: RunningProduct,
  email: string,
): Promise<void> {
  const [user] = await product.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  if (!user) throw new Error(`No user has the email address ${email}.`);
  const { token } = await openSession(product.db, user.id);
  await context.addCookies([
    {
      name: getSessionCookieName(product),
      value: token,
      url: product.origin,
      httpOnly: true,
      sameSite: "Lax",
    },
  ]);
}

/** @throws {Error} with the problems, and with the end of the product's log, which says why a request failed */
function throwProblems(problems: string[], product: RunningProduct): void {
  if (problems.length === 0) return;
  const log = product.output().slice(-4_000);
  throw new Error(
    `The browser's console showed:\n${problems.join("\n")}\nThe log ends with:\n${log}`,
  );
}

/** Collects console errors, except for 4xx responses and lost connections, which journeys cause on purpose. */
function watchConsole(context: BrowserContext): string[] {
  const problems: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    if (
      /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)|^Failed to fetch manifest patches \w+: (Failed to fetch|No answer)/.test(
        message.text(),
      )
    )
      return;
    problems.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => problems.push(String(error.error())));
  return problems;
}
