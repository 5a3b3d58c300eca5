import { readFileSync } from "node:fs";
import { matchRoutes, type RouteObject } from "react-router";
import type { Browser, BrowserContext, Page, Route } from "@playwright/test";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../../../app/routes.ts";
import {
  getDemoPerson,
  listScreens,
  type Screen,
  screens,
} from "../../support/inventory/screens.ts";
import { sample, slowCases } from "../../support/inventory/selection.ts";
import { makeDemo } from "../../support/rows/demo-screens.ts";
import { splitIn } from "../support/parts.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

/** If answers are late or come from a proxy, the screen stays, shows a message and recovers. */

declare global {
  interface Window {
    sameDocument?: boolean;
    __reactRouterDataRouter: {
      state: {
        navigation: { state: string };
        fetchers: Map<string, { state: string }>;
        revalidation: string;
      };
      navigate(to: string, options?: object): Promise<void>;
      revalidate(): Promise<void>;
      fetch(key: string, from: string, to: string, options: object): Promise<void>;
    };
  }
}

type Foreign = { name: string; answer(route: Route): Promise<void> };

const page = "<!doctype html><title>Wi-Fi</title><h1>Log in to the network</h1>";

const foreign: Foreign[] = [
  ...[500, 502, 503, 504].map((status) => ({
    name: `a plain ${status}`,
    answer: (route: Route) => route.fulfill({ status, body: "upstream error" }),
  })),
  { name: "HTML", answer: (route) => route.fulfill({ contentType: "text/html", body: page }) },
  { name: "an empty answer", answer: (route) => route.fulfill({ body: "" }) },
  {
    name: "the page of another network",
    answer: (route) =>
      route.fulfill({ status: 302, headers: { Location: "http://127.0.0.1:9/login" } }),
  },
  { name: "nothing", answer: (route) => route.abort("connectionreset") },
  {
    name: "half an answer",
    answer: (route) =>
      route.fulfill({
        headers: { "X-Remix-Response": "yes", "Content-Type": "text/x-script" },
        body: '[{"_1":2},"root",{"_3":',
      }),
  },
];

/** All answers share one handler, so each address gets a third of them and three addresses cover all. */
const threeOf = (position: number) => foreign.filter((_, index) => index % 3 === position % 3);

for (const part of splitIn(3)) {
  test(`every screen shows that it is loading and retries until our answer arrives, ${part.name}`, async ({
    browser,
    product,
  }) => {
    const every = await addresses(product, "loader");
    expect(every.length).toBeGreaterThan(25);
    const all = part.select(sample(every, { every: 4 }));
    const browserOf = await browsersOf(browser, product, all);
    for (const [as, own] of Map.groupBy([...all.entries()], ([, address]) => address.as)) {
      const page = await openIn(browserOf.get(as)!, "/faq");
      const tryAgain = page.getByRole("button", { name: "Try again now" });
      for (const [position, { path }] of own) {
        const where = `${path} as ${as ?? "a visitor"}`;
        const answers = threeOf(position);
        await test.step(where, async () => {
          const start = startOf(path);
          await page.evaluate((to) => window.__reactRouterDataRouter.navigate(to), start);
          // A screen may send a request when it opens.
          await page.waitForFunction(nothingIsUnderWay);
          // The router ends before the screen is drawn.
          const heading = start === "/faq" ? "Frequently asked questions" : "Terms and Conditions";
          await expect(page.getByRole("heading", { level: 1 }), where).toHaveText(heading);
          let requests = 0;
          let answer = () => {};
          const isDue = new Promise<void>((done) => (answer = done));
          await page.route(/\.data(\?|$)/, async (route) => {
            await isDue;
            await (requests < answers.length
              ? answers[requests++]!.answer(route)
              : route.fallback());
          });
          await page.evaluate((to) => void window.__reactRouterDataRouter.navigate(to), path);
          await expect(
            page.getByRole("status").getByText("Loading...").first(),
            where,
          ).toBeVisible();
          answer();
          const meanwhile = await page.evaluate(tryUntilThere);
          expect(meanwhile, where).toEqual({ headings: [heading], isOffered: true });
          expect(requests, where).toBe(answers.length);
          await expect(tryAgain, where).toHaveCount(0);
          await expect(page.getByText("Unexpected Application Error!"), where).toHaveCount(0);
          await expect(page.locator(".frame_neatline[data-moving]"), where).toHaveCount(0);
          expect(await page.evaluate(() => window.sameDocument), where).toBe(true);
          await page.unrouteAll();
        });
      }
      await page.close();
    }
  });
}

for (const part of splitIn(3)) {
  test(`every form keeps its text after a foreign answer, ${part.name}`, async ({
    browser,
    product,
  }) => {
    const every = await addresses(product, "action");
    expect(every.length).toBeGreaterThan(15);
    const all = part.select(sample(every, { every: 4 }));
    const browserOf = await browsersOf(browser, product, all);
    for (const [position, { as, path, screen }] of all.entries()) {
      // The not-found page has no form.
      if (path === "/nowhere") continue;
      const where = `${path} as ${as ?? "a visitor"}`;
      await test.step(where, async () => {
        const page = await openIn(browserOf.get(as)!, screen);
        // Some screens load data before they show their form.
        await expect(page.locator("main .spinner:not(.gallery_specimen *)"), where).toHaveCount(0);
        const typed = await page.evaluate(fillIn);
        for (const { name, answer } of threeOf(position)) {
          const after = `${where} after ${name}`;
          await page.route(/\.data(\?|$)/, answer, { times: 1 });
          await page.evaluate(send, { path, isOwn: path === screen });
          await expect(page.locator(".frame_neatline[data-moving]"), after).toHaveCount(0);
          await expect(page.getByText("Unexpected Application Error!"), after).toHaveCount(0);
          await page.unrouteAll();
        }
        // Screens that check an emailed link show the result themselves.
        if (!/check$|confirmation/.test(path))
          await expect(
            page.getByRole("alert").or(page.getByRole("dialog")).first(),
            where,
          ).toBeVisible();
        expect(await page.evaluate(whatIsTyped), where).toEqual(typed);
        expect(await page.evaluate(() => window.sameDocument), where).toBe(true);
        await page.close();
      });
    }
  });
}

// Covered by "every form keeps its text".
test("screens with their own error messages show them after a foreign answer @slow", async ({
  browser,
  product,
}) => {
  const { context, page } = await openAt(browser, product, { as: "sonia@example.com", path: "/" });
  const refusePosts = async (status: number) =>
    page.route(/\.data(\?|$)/, (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status, body: "upstream error" })
        : route.fallback(),
    );
  await page.goto("/subscription");
  await refusePosts(502);
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("button", { name: "Yes, Cancel Now" }).click();
  const dialog = page.getByRole("dialog", { name: "Subscription Management Error" });
  await expect(dialog).toContainText("Failed to cancel subscription. Please try again later.");
  await expect(dialog).toContainText("contact support");

  // Without the step, it opens at the payment if another journey left a draft.
  await page.goto("/services/portfolio-review?step=portfolio");
  const url = page.getByLabel("Portfolio URL");
  await url.fill("https://sonia.example.com/work");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Submission failed")).toBeVisible();
  await expect(url).toHaveValue("https://sonia.example.com/work");

  await page.unrouteAll();
  await page.getByRole("button", { name: "Continue" }).click();
  const phone = page.getByLabel("Phone (optional)");
  await phone.fill("9876543210");
  await refusePosts(504);
  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await expect(page.getByText("Payment Error")).toBeVisible();
  await expect(page.getByText("Payment Failed")).toBeVisible();
  await expect(phone).toHaveValue("9876543210");
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeEnabled();
  await context.close();
});

for (const [name, address, title] of [
  ["the board", "/jobs", "Failed to load jobs"],
  // Covered by "the board shows its own message when it cannot be loaded".
  ...slowCases([
    ["a job board's list", "/job-board", "Failed to load job listings"],
    ["the subscription", "/subscription", "Failed to load subscription status"],
    ["the profile", "/profile", "Failed to load user data"],
  ] as const),
] as const) {
  test(`${name} shows its own message when it cannot be loaded`, async ({ browser, product }) => {
    const { context, page } = await openAt(browser, product, {
      as: "sonia@example.com",
      path: "/faq",
    });
    await page.route(/\.data(\?|$)/, (route) => route.abort("connectionreset"));
    await page.evaluate((to) => void window.__reactRouterDataRouter.navigate(to), address);
    await expect(page.getByRole("alert")).toContainText(title);
    // Navigating away clears the message.
    await page.unrouteAll();
    await page.evaluate(() => void window.__reactRouterDataRouter.navigate("/terms"));
    await expect(page.getByRole("alert")).toHaveCount(0);
    await context.close();
  });
}

test("a screen whose script cannot be loaded is retried without a page load", async ({
  page,
  context,
}) => {
  await page.goto("/faq");
  await page.evaluate(() => (window.sameDocument = true));
  await context.setOffline(true);
  await page.getByRole("banner").getByRole("link", { name: "Jobs" }).click();
  await expect(page.getByRole("alert")).toContainText("Failed to load jobs");
  await expect(page).toHaveURL("/faq");
  await context.setOffline(false);
  await expect(page.getByRole("search", { name: "Jobs" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(await page.evaluate(() => window.sameDocument)).toBe(true);
});

test("after a deployment the next screen reloads the page once", async ({ page }) => {
  await page.goto("/faq");
  await page.evaluate(() => (window.sameDocument = true));
  await page.route(/assets\/new-message\.screen/, (route) => route.fulfill({ status: 404 }), {
    times: 1,
  });
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
  await expect(page.getByRole("button", { name: "Send Message" })).toBeVisible();
  expect(await page.evaluate(() => window.sameDocument)).toBeUndefined();
});

function nothingIsUnderWay(): boolean {
  const { navigation, fetchers, revalidation } = window.__reactRouterDataRouter.state;
  const states = [navigation, ...fetchers.values()].map(({ state }) => state);
  return [...states, revalidation].every((state) => state === "idle");
}

/**
 * Triggers retries until the next screen has loaded.
 *
 * @returns the headings shown meanwhile, and whether "Try again now" was offered
 */
async function tryUntilThere(): Promise<{ headings: string[]; isOffered: boolean }> {
  const headings = new Set<string>();
  let isOffered = false;
  while (window.__reactRouterDataRouter.state.navigation.state !== "idle") {
    for (const { innerText } of document.querySelectorAll("h1")) headings.add(innerText);
    const buttons = [...document.querySelectorAll("button")];
    isOffered ||= buttons.some(({ innerText }) => innerText === "Try again now");
    window.dispatchEvent(new Event("online"));
    await new Promise((done) => setTimeout(done, 10));
  }
  return { headings: [...headings], isOffered };
}

/** Opens one browser for each person, so that each loads the scripts once. */
async function browsersOf(
  browser: Browser,
  product: RunningProduct,
  addresses: Address[],
): Promise<Map<string | undefined, BrowserContext>> {
  const opened = new Map<string | undefined, BrowserContext>();
  for (const { as } of addresses)
    if (!opened.has(as)) opened.set(as, await browserFor(browser, product, as));
  return opened;
}

async function browserFor(
  browser: Browser,
  product: RunningProduct,
  as: string | undefined,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: product.origin, reducedMotion: "reduce" });
  if (as) await signInByCookie(context, product, as);
  return context;
}

async function openIn(context: BrowserContext, path: string): Promise<Page> {
  const page = whenLive(await context.newPage());
  await page.goto(path);
  await page.evaluate(() => (window.sameDocument = true));
  return page;
}

async function openAt(
  browser: Browser,
  product: RunningProduct,
  { as, path }: { as?: string; path: string },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browserFor(browser, product, as);
  return { context, page: await openIn(context, path) };
}

/** Returns another screen to navigate from. */
function startOf(path: string): string {
  return path.startsWith("/faq") ? "/terms" : "/faq";
}

type Address = Pick<Screen, "as" | "path"> & {
  /** The screen that sends the form. */
  screen: string;
};

/** Lists an address for every route that has a loader or an action. */
async function addresses(product: RunningProduct, half: "loader" | "action"): Promise<Address[]> {
  const demo = await makeDemo(product.db);
  const listed = listScreens(demo);
  const others = Object.entries(screens)
    .filter(([, { states }]) => !states)
    .map(([route, row]) => ({
      path: (typeof row.at === "function" ? row.at(demo) : row.at) ?? route,
      as: getDemoPerson(row),
    }));
  const found = new Map<string, Address>();
  for (const { as, path } of [...listed, ...others]) {
    for (const { route } of matchRoutes(asObjects(routes), path) ?? []) {
      const isScreen = listed.some((screen) => screen.path === path);
      // It leads to another site.
      if (path.endsWith("/portal")) continue;
      if (has(route.handle as string, half) && !found.has(route.id!))
        found.set(route.id!, { as, path, screen: isScreen ? path : startOf(path) });
    }
  }
  return [...found.values()];
}

function asObjects(entries: RouteConfigEntry[]): RouteObject[] {
  return entries.map(({ id, file, path, index, children }) => ({
    id: id ?? file,
    path,
    handle: file,
    ...(index ? { index } : { children: asObjects(children ?? []) }),
  }));
}

function has(file: string, half: "loader" | "action"): boolean {
  const source = readFileSync(`app/${file}`, "utf8");
  return new RegExp(`^export (async )?(function|const) ${half}\\b`, "m").test(source);
}

function fillIn(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main :is(input:is([type=text], [type=email], [type=password], [type=url], [type=tel]), textarea)",
  );
  for (const field of fields) {
    if (field.disabled || field.readOnly || !field.checkVisibility()) continue;
    field.focus();
    document.execCommand("selectAll");
    document.execCommand("insertText", false, "typed@example.com");
  }
  return [...fields].map(({ value }) => value);
}

function whatIsTyped(): string[] {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main :is(input:is([type=text], [type=email], [type=password], [type=url], [type=tel]), textarea)",
  );
  return [...fields].map(({ value }) => value);
}

/** Submits by a navigation, or by a fetcher if the form belongs to another screen. */
function send({ path, isOwn }: { path: string; isOwn: boolean }): Promise<void> {
  const form = document.querySelector<HTMLFormElement>("main form");
  const options = { formMethod: "post", formData: new FormData(form ?? undefined) };
  const router = window.__reactRouterDataRouter;
  return isOwn ? router.navigate(path, options) : router.fetch("sent", "root", path, options);
}
