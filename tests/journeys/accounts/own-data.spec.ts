import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { dataExports } from "../../../app/own-data/export/tables.server.ts";
import { unzip } from "../../support/documents/unzip.ts";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import { trackedJob } from "../../support/rows/tracked-jobs.ts";
import { expect, test } from "../support/test.ts";

test("a person starts an export, gets an email, and reads the downloaded file in another program", async ({
  browserOf,
  product: { db },
}) => {
  const tara = await person(db, "Tara Nambiar");
  await trackedJob(db, tara, { title: "Signpainter" });
  const page = await browserOf(tara.email, "/profile/data");
  await page.setViewportSize({ width: 360, height: 700 });
  await page.getByRole("link", { name: "download your data" }).click();
  await expect(page.getByText("No exports yet.")).toBeVisible();
  await page.getByRole("button", { name: "Prepare my data" }).click();
  await expect(page.getByText("We're preparing your data.")).toBeVisible();
  await expect
    .poll(async () => {
      const [row] = await db.select().from(dataExports).where(eq(dataExports.userId, tara.id));
      return row?.state;
    })
    .toBe("ready");

  await page.goto((await linkMailedTo(db, tara.email, "/profile/data/export")).href);
  const row = page.getByRole("listitem").filter({ hasText: "Started on" });
  await expect(row).toContainText(/Ready.*ready until/s);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(360);
  const waiting = page.waitForEvent("download");
  await row.getByRole("link", { name: /^Download/ }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^Naksha data .*\.zip$/);
  const files = await unzip(await readFile(await download.path()));
  expect([...files.keys()]).toEqual(["README.txt", "data.json"]);
  const data = JSON.parse(files.get("data.json")!.toString()) as Record<string, object[]>;
  expect(data.users).toEqual([expect.objectContaining({ email: tara.email })]);
  expect(data.trackedJobs).toEqual([expect.objectContaining({ title: "Signpainter" })]);

  await page.getByRole("button", { name: "Prepare my data" }).click();
  await expect(page.getByText("You can start one export a day.").first()).toBeVisible();
  await expect(row).toHaveCount(1);
});
