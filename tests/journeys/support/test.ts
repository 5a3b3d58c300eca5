import { test as base, type BrowserContext, type Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { openSession, getSessionCookieName } from "../../../app/accounts/session.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { type RunningProduct, startProduct } from "./product.ts";

export { expect } from "@playwright/test";

type TestFixtures = {
  /** Opens a new browser, signed in as a person of the demonstration; with a path, at that address. */
  browserOf: (email: string, path?: string) => Promise<Page>;
};

/** A journey: the product runs, and an error in a browser's console fails it. */
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

  context: async ({ context }, use) => {
    const problems = watchConsole(context);
    await use(context);
    if (problems.length > 0)
      throw new Error(`The browser's console showed:\n${problems.join("\n")}`);
  },

  browserOf: async ({ browser, product }, use) => {
    const opened: BrowserContext[] = [];
    const problems: string[][] = [];
    await use(async (email, path) => {
      const context = await browser.newContext({ baseURL: product.origin });
      opened.push(context);
      problems.push(watchConsole(context));
      await signInByCookie(context, product, email);
      const page = whenLive(await context.newPage());
      if (path !== undefined) await page.goto(path);
      return page;
    });
    for (const context of opened) await context.close();
    if (problems.flat().length > 0)
      throw new Error(`The browser's console showed:\n${problems.flat().join("\n")}`);
  },
});

/**
 * A page that has been gone to or reloaded once its scripts are live: they come after it has been painted,
 * and what is pressed before goes without them.
 */
export function whenLive(page: Page): Page {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const live = () =>
    page.locator("html[data-live], html:not(:has(script))").waitFor({ state: "attached" });
  page.goto = async (...asked) => {
    const answer = await goto(...asked);
    await live();
    return answer;
  };
  page.reload = async (...asked) => {
    const answer = await reload(...asked);
    await live();
    return answer;
  };
  return page;
}

/** Gives the browser a session as a sign-in would; signing in has its own journeys. */
export async function signInByCookie(
  context: BrowserContext,
  product: RunningProduct,
  email: string,
): Promise<void> {
  const [user] = await product.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email));
  if (!user) throw new Error(`Nobody has the address ${email}.`);
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

/** An answer of 4xx and a lost connection are console errors to the browser; we test how they are met. */
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
