import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { createJob } from "../../../app/jobs/manage/job-commands.server.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { day, hour, now } from "../../../app/platform/clock.ts";
import { alerts } from "../../../app/seekers/alerts/tables.server.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { person } from "../../support/rows/people.ts";
import { jobFields } from "../../support/rows/jobs.ts";
import type { RunningProduct } from "../support/product.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";

const ago = (time: number) => new Date(now().getTime() - time);

/** Asks for an alert on the open board as a visitor. */
async function askForAlert(page: Page, email: string): Promise<void> {
  await page.getByRole("link", { name: "Get new jobs by email" }).first().click();
  await expect(page.getByRole("heading", { name: "Get new jobs by email" })).toBeVisible();
  const opened = Date.now();
  await expect(page.getByLabel("Filters of this alert").getByRole("listitem")).toHaveText([
    "Internship",
    "“lettering”",
  ]);
  await page.getByLabel("Your email").fill("nowhere");
  await page.getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByText("Please enter a valid email address.")).toBeVisible();
  await page.getByLabel("Your email").fill(email);
  // A form that is sent within a second counts as spam.
  await expect.poll(() => Date.now() - opened).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();
}

/** Opens the newest email to an address in the demo's mailbox, and follows a link in it. */
async function followInMailbox(
  page: Page,
  { db }: RunningProduct,
  email: string,
  link: string,
): Promise<void> {
  const [mail] = await mailsTo(db, email);
  await page.goto(`/demo/mailbox/${mail!.id}`);
  const address = await page
    .frameLocator("iframe")
    .getByRole("link", { name: link })
    .first()
    .getAttribute("href");
  await page.goto(new URL(address!).pathname);
}

/** Publishes a listing before an address's last digest was due, and runs the task. */
async function sendDigest({ db }: RunningProduct, email: string, title: string): Promise<void> {
  const adder = await person(db, "Devi Rao", { roles: ["job_board_adder"] });
  const id = await createJob(db, adder, { ...jobFields, title, jobType: "Internship" });
  await db
    .update(jobs)
    .set({ publishedAt: ago(30 * hour) })
    .where(eq(jobs.id, id));
  await db
    .update(alerts)
    .set({ sentUntil: ago(3 * day) })
    .where(eq(alerts.email, email));
  await db.execute(sql`insert into pgboss.job (name) values ('send-alerts')`);
}

test("a visitor gets new jobs by email, and stops it with one click or the button", async ({
  page,
  product,
  browser,
}) => {
  const email = "lettering@example.com";
  await page.goto("/jobs?type=Internship&search=lettering");
  await askForAlert(page, email);
  await followInMailbox(page, product, email, "Confirm your alert");
  await page.getByRole("button", { name: "Start the alert" }).click();
  await expect(page.getByRole("heading", { name: "Your alert is on" })).toBeVisible();

  await sendDigest(product, email, "Lettering Intern");
  await expect
    .poll(async () => (await mailsTo(product.db, email))[0]?.subject)
    .toContain("“Lettering Intern”");
  const [mail] = await mailsTo(product.db, email);
  const oneClick = /<(.*)>/.exec(mail!.headers!["List-Unsubscribe"]!)![1]!;

  const plain = await openPlainPage(browser, product);
  await followInMailbox(plain, product, email, "Stop this alert");
  await plain.getByRole("button", { name: "Stop this alert" }).click();
  await expect(plain.getByText("You have no job alerts.")).toBeVisible();
  await plain.context().close();

  const response = await page.request.post(new URL(oneClick).pathname, {
    headers: { origin: "https://mail.example.org" },
    form: { "List-Unsubscribe": "One-Click" },
  });
  expect(response.status()).toBe(200);
});

test("a person creates an alert from the board, changes and stops it on the profile", async ({
  browserOf,
  product,
}) => {
  const asha = await person(product.db, "Asha Alerts");
  const page = await browserOf(asha.email, "/jobs?discipline=ux");
  await page.getByRole("link", { name: "Get new jobs by email" }).first().click();
  await page.getByLabel("How often?").selectOption("Every Monday");
  await page.getByRole("button", { name: "Create alert" }).click();
  await expect(page.getByRole("heading", { name: "Your alert is on" })).toBeVisible();
  await page.getByRole("link", { name: "Job alerts" }).click();
  await expect(page.getByRole("link", { name: "UX design" })).toHaveAttribute(
    "href",
    "/jobs?discipline=ux",
  );
  await page.getByLabel("How often: UX design").selectOption("Every day");
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByText("Alert saved")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("How often: UX design")).toHaveValue("daily");
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expect(page.getByRole("heading", { name: "No job alerts yet" })).toBeVisible();
});

test.describe("on a phone without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

  test("choices that exclude each other are named, and can be changed on the board", async ({
    page,
  }) => {
    await page.goto("/jobs/alerts?type=Internship&experience=10");
    await expect(
      page.getByText(
        "“Internship” and “10 years of experience” exclude each other, so this alert may never find a job.",
      ),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Create alert" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole("link", { name: "Change the filters on the board" }).click();
    await expect(page).toHaveURL("/jobs?type=Internship&experience=10");
  });
});
