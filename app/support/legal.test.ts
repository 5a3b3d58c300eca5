import { expect, test } from "vitest";
import { verifiedMeaning } from "../jobs/check-rules.ts";
import { testConfig } from "../../tests/support/product/config.ts";
import { runningApp } from "../../tests/support/product/running.ts";

const { origin } = await runningApp();
const { merchant, address, officer } = testConfig().product;

test.each(["/contact", "/terms", "/privacy", "/refund"])(
  "%s names the seller and the grievance officer",
  async (path) => {
    const page = await (await fetch(origin + path)).text();
    for (const detail of [merchant, address, ...Object.values(officer)])
      expect(page).toContain(detail);
  },
);

test.each(["/faq", "/terms", "/about"])(
  "%s says what verified means beside the word",
  async (path) => {
    const page = await (await fetch(origin + path)).text();
    expect(page.replaceAll("&#x27;", "'").replaceAll(/<!--.*?-->/g, "")).toContain(
      `verified. ${verifiedMeaning}`,
    );
  },
);

test("every page names the grievance officer in its footer", async () => {
  const page = await (await fetch(origin)).text();
  expect(page).toContain(officer.name);
  expect(page).not.toContain(officer.phone);
});
