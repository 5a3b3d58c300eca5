import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import type { RunningProduct } from "./product.ts";
import { signInByCookie } from "./test.ts";

/** Opens the link in the newest email to an address, as the visitor who reads it. */
export async function openMailedLink(
  page: Page,
  { db }: RunningProduct,
  email: string,
  path: string,
): Promise<void> {
  await page.goto((await linkMailedTo(db, email, path)).pathname);
}

/** Opens a page in a browser of its own, as a visitor or signed in. */
export async function openPage(
  browser: Browser,
  product: RunningProduct,
  email?: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.origin, ...options });
  if (email) await signInByCookie(context, product, email);
  return context.newPage();
}

/** Opens a page like {@link openPage}, in a browser that runs no scripts. */
export function openPlainPage(
  browser: Browser,
  product: RunningProduct,
  email?: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return openPage(browser, product, email, { ...options, javaScriptEnabled: false });
}
