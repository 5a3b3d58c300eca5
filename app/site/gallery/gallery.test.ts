import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { realSettings } from "../../../tests/support/product/config.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { productOn, runningApp } from "../../../tests/support/product/running.ts";
import { whenFileEnds } from "../../../tests/support/product/when-file-ends.ts";
import { plainFetch } from "../../../tests/support/requests/plain-fetch.ts";

const { origin } = await runningApp();
const response = await plainFetch(`${origin}/demo/components`);
const html = await response.text();
const specimens = [...html.matchAll(/<h3>(\w+)<\/h3><code>app\/ui\/(?:<!-- -->)?([^<]+)</g)].map(
  ([, name, file]) => `${name} in app/ui/${file}`,
);

/** The frame renders it on every page, and a page can have it only once. */
const isInFrame = (name: string) => name === "Toasts";

test("the gallery has every component of the design system, and no others", () => {
  const components = globSync("app/ui/**/*.tsx")
    .filter((file) => !file.endsWith(".test.tsx"))
    .flatMap((file) => namesIn(file).map((name) => `${name} in ${file.replaceAll("\\", "/")}`));
  expect(components.length).toBeGreaterThan(30);
  expect(specimens.filter((one) => one.endsWith(".tsx")).toSorted()).toEqual(components.toSorted());
});

test("the gallery imports each component that it names", () => {
  const code = globSync("app/site/gallery/*.tsx")
    .map((file) => readFileSync(file, "utf8"))
    .join();
  const names = specimens.filter((one) => one.endsWith(".tsx")).map((one) => one.split(" ")[0]!);
  const unused = names.filter((name) => !isInFrame(name) && !new RegExp(`<${name}\\b`).test(code));
  expect(unused).toEqual([]);
});

test("each theme has its own value of every themed token", () => {
  for (const [theme, paper] of [
    ["light", "#f3f1e8"],
    ["dark", "#0b1720"],
  ])
    expect(html).toMatch(
      new RegExp(`\\.gallery_panel\\[data-theme="${theme}"\\]\\{--color-paper:${paper};`),
    );
  expect(html).not.toContain("light-dark(");
});

test("ids are unique on the page", () => {
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("search engines and caches leave the gallery out", () => {
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(response.headers.get("cache-control")).toBe("no-cache");
});

test("a real installation has no gallery", async () => {
  const { url } = await testDatabase();
  const { product, config } = await productOn(url, { ...realSettings, DATA_DIR: ownFolder() });
  whenFileEnds(() => product.close());
  const headers = { host: new URL(config.origin).host, "x-forwarded-proto": "https" };
  for (const method of ["GET", "POST"]) {
    const answer = await plainFetch(`http://127.0.0.1:${config.port}/demo/components`, {
      method,
      headers: { ...headers, origin: config.origin },
      body: method === "POST" ? new URLSearchParams({ name: "Asha" }) : undefined,
    });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("specimen");
  }
});

/** Returns the names of the components that a file exports. */
function namesIn(file: string): string[] {
  const exported = readFileSync(file, "utf8").matchAll(
    /^export (?:function|const) ([A-Z]\w*)\b(?! = createContext)/gm,
  );
  return [...exported].map(([, name]) => name!);
}
