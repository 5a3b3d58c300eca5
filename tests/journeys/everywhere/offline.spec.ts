import { expect, test } from "../support/test.ts";

/** The service worker shows an offline page if a page cannot be loaded. It caches nothing else. */

test.use({ serviceWorkers: "allow" });

test("an offline page replaces a page that cannot be loaded, until the connection returns", async ({
  page,
  context,
}) => {
  await page.goto("/faq");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.goto("/contact");
  await expect(page.getByRole("heading", { name: "We couldn't load this page" })).toBeVisible();
  await expect(page).toHaveURL("/contact");
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try again now" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Contact Us" })).toBeVisible();
});

test("the service worker caches no personal pages", async ({ page }) => {
  await page.goto("/login");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByLabel("Email").fill("asha@example.com");
  await page.getByLabel("Password", { exact: true }).fill("demo-Password1");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Successfully signed in!")).toBeVisible();
  await page.goto("/profile");
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached).toEqual(["/offline"]);
});

test("our own error pages are shown unchanged", async ({ page, product }) => {
  await page.goto("/faq");
  await page.evaluate(() => navigator.serviceWorker.ready);
  const answer = await page.goto("/nowhere");
  expect(answer!.status()).toBe(404);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  const worker = await page.request.get(`${product.origin}/service-worker.js`);
  expect(worker.headers()).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
  });
});
