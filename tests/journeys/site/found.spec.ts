import type { Page } from "@playwright/test";
import { signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("a search has a feed that parses", async ({ page }) => {
  await page.goto("/jobs");
  const follow = page.getByRole("link", { name: "RSS feed" });
  await expect(follow).toHaveAttribute("href", /\/jobs\/feed\.atom$/);
  await page.getByRole("radio", { name: "Internship" }).check();
  await expect(follow).toHaveAttribute("href", /\/jobs\/feed\.atom\?type=Internship$/);

  const feed = await readXml(page, (await follow.getAttribute("href"))!);
  expect(feed.problem).toBeNull();
  expect(feed.root).toBe("http://www.w3.org/2005/Atom feed");
  const titles = await page.locator("main article h2").allInnerTexts();
  expect(feed.titles.slice(0, titles.length).map((title) => title.split(" at ")[0])).toEqual(
    titles,
  );
});

test("the sitemaps are well-formed and list open jobs", async ({ page, request }) => {
  await page.goto("/about");
  const index = await readXml(page, "/sitemap.xml");
  expect(index.problem).toBeNull();
  expect(index.root).toBe("http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex");
  expect(index.addresses.map((address) => new URL(address).pathname)).toEqual([
    "/sitemaps/pages.xml",
    "/sitemaps/jobs-1.xml",
  ]);
  for (const address of index.addresses) {
    const list = await readXml(page, address);
    expect(list.problem).toBeNull();
    expect(list.root).toBe("http://www.sitemaps.org/schemas/sitemap/0.9 urlset");
    expect((await request.get(list.addresses.at(-1)!)).status()).toBe(200);
  }
});

test("a visitor signs in from the board by one link and comes back", async ({ page }) => {
  await page.goto("/jobs");
  await page.getByRole("link", { name: "Sign In" }).click();
  await signIn(page, "ravi@example.com", "demo-Password1");
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.getByRole("link", { name: "Sign In" })).toHaveCount(0);
});

test("a job's location is shown once, also without a map", async ({ page }) => {
  await page.goto("/jobs?search=poster designer");
  await expect(
    page.locator("main ol").getByText("Thiruvananthapuram", { exact: true }),
  ).toBeVisible();
  await page.getByRole("link", { name: "Poster Designer" }).click();
  const place = page.getByText("Thiruvananthapuram", { exact: true });
  await expect(page.getByRole("heading", { level: 1, name: "Poster Designer" })).toBeVisible();
  await expect(place).toBeVisible();
});

test("a browser accepts the icons and the manifest", async ({ page, request }) => {
  await page.goto("/");
  const hrefs = await page
    .locator('link[rel="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(hrefs).toHaveLength(4);
  const manifest = await (await request.get("/manifest.webmanifest")).json();
  const icons = manifest.icons.map(({ src }: { src: string }) => src);
  for (const address of [...hrefs, ...icons, "/favicon.ico"])
    expect((await request.get(address)).status(), address).toBe(200);
  expect((await request.get("/favicon.ico")).headers()["content-type"]).toBe("image/x-icon");
});

/** Parses a document with the browser's own parser. */
function readXml(page: Page, address: string) {
  return page.evaluate(async (url) => {
    const text = await (await fetch(url)).text();
    const parsed = new DOMParser().parseFromString(text, "application/xml");
    const textsOf = (selector: string) =>
      [...parsed.querySelectorAll(selector)].map((element) => element.textContent);
    return {
      problem: parsed.querySelector("parsererror")?.textContent ?? null,
      root: `${parsed.documentElement.namespaceURI} ${parsed.documentElement.localName}`,
      titles: textsOf("entry > title"),
      addresses: textsOf("loc"),
    };
  }, address);
}
