import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import type { Actor } from "../../../app/accounts/actor.server.ts";
import { hashPassword } from "../../../app/accounts/passwords.server.ts";
import { users } from "../../../app/accounts/tables.server.ts";
import { listOwnShares } from "../../../app/annotations/share/find-shares.server.ts";
import { closeShare } from "../../../app/annotations/share/shares.server.ts";
import { createJob } from "../../../app/jobs/manage/job-commands.server.ts";
import { getRecordWeeks } from "../../../app/jobs/replies/reply-records.server.ts";
import { jobs, replyRecords } from "../../../app/jobs/tables.server.ts";
import { day, formatShortDate, now, toIsoDay } from "../../../app/platform/clock.ts";
import { saveJob } from "../../../app/seekers/tracker/save-job.server.ts";
import { updateReplyRecords } from "../../../app/seekers/reply-records/update-reply-records.server.ts";
import { replyAnswers, trackedJobs } from "../../../app/seekers/tracker/tables.server.ts";
import { givePassword, person } from "../../support/rows/people.ts";
import { jobFields } from "../../support/rows/jobs.ts";
import { review, shareOf } from "../../support/rows/reviews.ts";
import { application, replyAnswer, trackedJob } from "../../support/rows/tracked-jobs.ts";
import { openWithoutScripts } from "../support/late-scripts.ts";
import type { RunningProduct } from "../support/product.ts";
import { holdBack, resizeTo, signIn } from "../support/steps.ts";
import { expect, signInByCookie, test } from "../support/test.ts";
import { openPage } from "../support/visitors.ts";

const password = "correct horse battery";

async function publish({ db }: RunningProduct, fields: Partial<typeof jobFields>) {
  const adder = await person(db, "Devi Rao", { roles: ["job_board_adder"] });
  return createJob(db, adder, { ...jobFields, ...fields });
}

async function seeker({ db }: RunningProduct) {
  const one = await person(db, "Asha Verma");
  await givePassword(db, one, await hashPassword(password));
  return one;
}

/** Shares a completed review. @returns its option in the message's form, and a function that ends the share */
async function shareReview({ db }: RunningProduct, owner: Actor) {
  const { id: reviewId } = await review(db, owner, { status: "completed" });
  await shareOf(db, reviewId);
  const [share] = await listOwnShares(db, owner);
  return {
    option: `My Resume Review, shared until ${formatShortDate(share!.expiresAt)}`,
    end: () => closeShare(db, owner, { reviewId }),
  };
}

const rowsOf = ({ db }: RunningProduct, { id }: { id: string }) =>
  db.select().from(trackedJobs).where(eq(trackedJobs.userId, id));

const save = (page: Page, title: string) =>
  page.getByRole("button", { name: `Save ${title}`, exact: true });
const saved = (page: Page, title: string) =>
  page.getByRole("button", { name: `Saved ${title}`, exact: true });

test("a visitor's Save is done after the sign-in, and the board shows it", async ({
  page,
  product,
}) => {
  const title = "Kite Illustrator";
  await publish(product, { title });
  const asha = await seeker(product);
  await page.goto("/jobs?search=kite+illustrator");
  await save(page, title).click();
  await expect(page.getByText("Log in, and we'll add this job to your list")).toBeVisible();
  await signIn(page, asha.email, password);
  await expect(page.getByText("Saved to your jobs")).toBeVisible();
  await expect(page).toHaveURL(/\/jobs\?search=kite\+illustrator#job-/);
  await expect(saved(page, title)).toBeVisible();
  expect(await rowsOf(product, asha)).toHaveLength(1);

  // The same button takes it back.
  await saved(page, title).click();
  await expect(save(page, title)).toBeVisible();
  expect(await rowsOf(product, asha)).toEqual([]);
  await save(page, title).click();
  await expect(saved(page, title)).toBeVisible();
  await page.reload();
  await expect(saved(page, title)).toBeVisible();
});

test("Save works again once it shows the change, while the page still loads", async ({
  browserOf,
  product,
}) => {
  const title = "Kerb Designer";
  await publish(product, { title });
  const asha = await seeker(product);
  const page = await browserOf(asha.email, "/jobs?search=kerb+designer");
  const letGo = await holdBack(page, /\/jobs\.data/);
  const reload = page.waitForRequest(/\/jobs\.data/);
  await save(page, title).click();
  await expect(saved(page, title)).toBeVisible();
  await reload;
  await saved(page, title).click();
  await expect(save(page, title)).toBeVisible();
  expect(await rowsOf(product, asha)).toEqual([]);
  letGo();
});

test("opening the address of Save saves nothing by itself", async ({ browserOf, product }) => {
  const jobId = await publish(product, { title: "Door Designer" });
  const asha = await seeker(product);
  const page = await browserOf(asha.email, `/jobs/${jobId}/save`);
  await expect(page.getByRole("button", { name: "Save to your jobs" })).toBeVisible();
  expect(await rowsOf(product, asha)).toEqual([]);
  await page.getByRole("button", { name: "Save to your jobs" }).click();
  await expect(page.getByRole("heading", { name: "Door Designer" })).toBeVisible();
  await expect(saved(page, "Door Designer")).toBeVisible();
});

test("after the portal opened, the page asks if the person applied", async ({
  browserOf,
  product,
}) => {
  const portalApplicationLink = `${product.origin}/about`;
  const jobId = await publish(product, { title: "Map Designer", portalApplicationLink });
  const asha = await seeker(product);
  const page = await browserOf(asha.email, `/jobs/${jobId}`);
  const apply = page.getByRole("link", { name: "Apply via Portal" });
  await expect(page.getByText("Did you apply?")).toBeHidden();
  const opened = page.waitForEvent("popup");
  await apply.click();
  await (await opened).close();
  await page.getByRole("button", { name: "Not yet" }).click();
  await expect(page.getByText("Did you apply?")).toBeHidden();
  expect(await rowsOf(product, asha)).toEqual([]);

  const again = page.waitForEvent("popup");
  await apply.click();
  await (await again).close();
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(page.getByText("This job is in your list as “Applied”.")).toBeVisible();
  expect(await rowsOf(product, asha)).toMatchObject([
    { jobId, state: "applied", appliedOn: expect.any(String) },
  ]);
  await page.getByRole("link", { name: "See your jobs" }).click();
  await expect(page.getByRole("link", { name: "Map Designer" })).toBeVisible();
});

test("the contact's link has the person's own message, which they edit and copy", async ({
  browserOf,
  product,
}) => {
  const jobId = await publish(product, {
    title: "Sign Designer",
    pocContact: "mailto:ira@signs.example?bcc=x@evil.example / 98765 43210",
  });
  const asha = await seeker(product);
  const page = await browserOf(asha.email);
  await resizeTo(page, 360);
  await page.goto(`/jobs/${jobId}`);
  const contact = page.getByRole("link", { name: "Contact POC Directly" });
  const subject = `subject=${encodeURIComponent("Sign Designer at Sample Studio: Asha Verma")}`;
  const to = "mailto:ira@signs.example";
  await expect(contact).toHaveAttribute(
    "href",
    new RegExp(`^${to}\\?${subject}&body=Hello%2C%0D%0A`),
  );
  await page.getByRole("link", { name: "Edit the message first" }).click();
  await expect(page.getByRole("heading", { name: "Your first message" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByLabel("Portfolio address").fill("http://asha.example");
  await page.getByLabel("Why this job").fill("I paint signs.");
  await page.getByRole("button", { name: "Save message" }).click();
  await expect(page.getByText("Enter a link that begins with https://.")).toBeVisible();
  await page.getByLabel("Portfolio address").fill("https://asha.example/work");
  await page.getByRole("button", { name: "Save message" }).click();
  await expect(page.getByText("Message saved")).toBeVisible();
  expect(await rowsOf(product, asha)).toMatchObject([{ jobId, motivation: "I paint signs." }]);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the message" }).click();
  await expect(page.getByRole("button", { name: "Copied the message" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("I paint signs.\n\nMy work: https://asha.example/work");
  await expect(page.getByRole("button", { name: "Copy 98765 43210" })).toBeVisible();

  await page.getByRole("link", { name: "Back to the job" }).click();
  await expect(contact).toHaveAttribute("href", /I%20paint%20signs\./);
  await expect(page.getByText("Did you apply?")).toBeHidden();
  await contact.click();
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await expect(page.getByText("This job is in your list as “Applied”.")).toBeVisible();
});

test("a shared review is the link to a person's work, until it isn't shared any longer", async ({
  browserOf,
  product,
}) => {
  const jobId = await publish(product, { title: "Tile Designer" });
  const asha = await seeker(product);
  const { option, end } = await shareReview(product, asha);
  const page = await browserOf(asha.email);
  await resizeTo(page, 360);
  await page.goto(`/jobs/${jobId}/message`);
  await page.getByLabel("Portfolio address").fill("https://asha.example/work");
  const link = page.getByLabel("Link to your work");
  await link.selectOption({ label: option });
  await page.getByRole("button", { name: "Save message" }).click();
  await expect(page.getByText("Message saved")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const message = page.getByText("Hello,");
  await expect(message).toContainText(`My work: ${product.origin}/shared/`);
  const address = /My work: (\S+)/.exec((await message.textContent())!)![1]!;
  const encoded = `My%20work%3A%20${encodeURIComponent(address)}%0D%0A`;
  const email = page.getByRole("link", { name: "Open as email" });
  expect(await email.getAttribute("href")).toContain(encoded);

  const second = await page.context().newPage();
  await second.goto(address);
  await expect(second.getByText(/^Open until /)).toBeVisible();
  await second.goto(`/jobs/${jobId}`);
  const contact = second.getByRole("link", { name: "Contact POC Directly" });
  await expect.poll(() => contact.getAttribute("href")).toContain(encoded);

  await end();
  await second.goto(address);
  await expect(second.getByText(/^This link has expired/)).toBeVisible();
  await page.getByLabel("Why this job").fill("I paint tiles.");
  await page.getByRole("button", { name: "Save message" }).click();
  await expect(
    page.getByText("This review is no longer shared. Choose another link."),
  ).toBeVisible();
  await expect(page.getByLabel("Why this job")).toHaveValue("I paint tiles.");
  await expect(link).toBeFocused();
  await expect(link).toHaveValue("portfolio");
  await expect(message).toContainText("My work: https://asha.example/work");
  await page.getByRole("button", { name: "Save message" }).click();
  await expect(message).toContainText("I paint tiles.");
});

test("a message that is too long for a link is offered to copy", async ({ browserOf, product }) => {
  const jobId = await publish(product, { title: "Gate Designer" });
  const asha = await seeker(product);
  await trackedJob(product.db, asha, { jobId, motivation: "आ".repeat(300) });
  const page = await browserOf(asha.email, `/jobs/${jobId}`);
  const contact = page.getByRole("link", { name: "Contact POC Directly" });
  await expect(contact).toHaveAttribute("href", /^mailto:person@example\.com\?subject=[^&]+$/);
  await page.getByRole("link", { name: "Copy the message" }).click();
  await expect(
    page.getByText("The message is too long for a link. Copy it into the email."),
  ).toBeVisible();
});

test("a job is shared by the device, or by WhatsApp and a copied link", async ({
  page,
  product,
}) => {
  const jobId = await publish(product, { title: "Signage & Door Designer" });
  const address = `${product.origin}/jobs/${jobId}`;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "share", {
      configurable: true,
      value: (data: object) => {
        document.title = JSON.stringify(data);
        return Promise.resolve();
      },
    });
  });
  await page.goto(`/jobs/${jobId}`);
  await page.getByText("Share", { exact: true }).click();
  await expect(page).toHaveTitle(
    JSON.stringify({ title: "Signage & Door Designer at Sample Studio", url: address }),
  );
  await expect(page.getByRole("link", { name: "WhatsApp" })).toBeHidden();

  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, "share"));
  await page.getByText("Share", { exact: true }).click();
  const whatsApp = await page.getByRole("link", { name: "WhatsApp" }).getAttribute("href");
  expect(new URL(whatsApp!).searchParams.get("text")).toBe(
    `Signage & Door Designer at Sample Studio\n${address}`,
  );
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied link" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
});

test("the list adds, moves, edits, removes and restores jobs", async ({ browserOf, product }) => {
  const asha = await seeker(product);
  const page = await browserOf(asha.email, "/profile");
  await page.getByRole("link", { name: "Your jobs" }).click();
  await expect(page.getByRole("heading", { name: "No jobs in your list yet" })).toBeVisible();
  await page.getByText("Add a job from elsewhere").click();
  await page.getByLabel("Job title").fill("Type Designer");
  await page.getByLabel("Link").fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Add job" }).click();
  await expect(page.getByText("Enter the company's name.")).toBeVisible();
  await expect(page.getByText("Enter a link that begins with https:// or http://.")).toBeVisible();
  await expect(page.getByLabel("Job title")).toHaveValue("Type Designer");
  await page.getByLabel("Company").fill("Letter Works");
  await page.getByLabel("Link").fill("https://letters.example/jobs");
  await page.getByRole("button", { name: "Add job" }).click();
  await expect(page.getByText("“Type Designer” is in your jobs")).toBeVisible();

  const row = page.getByRole("listitem").filter({ hasText: "Letter Works" });
  const state = row.getByLabel("State of Type Designer");
  await state.selectOption("Interviewing");
  await expect(page.getByText("Moved to “Interviewing”")).toBeVisible();

  await row.getByRole("link", { name: "Type Designer", exact: true }).click();
  await page.getByLabel("Next step on").fill("2026-01-05");
  await page.getByLabel("Notes").fill("Call at 11.\nAsk about the team.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Overdue since Jan 5, 2026")).toBeVisible();
  await expect(page.getByText("1 overdue")).toBeVisible();
  await expect(page.getByText("Ask about the team.")).toBeVisible();
  const event = page.waitForEvent("download");
  const menu = row.getByRole("button", { name: "Actions for Type Designer" });
  await menu.click();
  await row.getByRole("link", { name: "Add to calendar" }).click();
  const calendar = await readFile(await (await event).path(), "utf8");
  expect(calendar).toContain("DTSTART;VALUE=DATE:20260105\r\n");
  expect(calendar).toContain("DESCRIPTION:Call at 11.\\nAsk about the team.\r\n");

  await menu.click();
  await row.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Removed “Type Designer” at Letter Works.")).toBeVisible();
  expect(await rowsOf(product, asha)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("“Type Designer” is back in your jobs")).toBeVisible();
  await row.getByRole("link", { name: "Type Designer", exact: true }).click();
  const history = page.locator(".tracker_tracked-history");
  await expect(history.getByRole("listitem")).toHaveText([/^Saved/, /^Interviewing/]);

  await page.getByRole("link", { name: "Back to your jobs" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^jobs-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toContain(
    '"Type Designer","Letter Works","","Interviewing"',
  );
});

test("a state chosen during a save is saved after it", async ({ browserOf, product }) => {
  const asha = await seeker(product);
  await trackedJob(product.db, asha);
  const page = await browserOf(asha.email, "/profile/jobs");
  const letGo = await holdBack(page, /\/profile\/jobs\.data/, "POST");
  const state = page.getByLabel("State of Type Designer");
  await state.selectOption("Applied");
  await expect(state).toHaveAttribute("aria-busy", "true");
  await state.selectOption("Interviewing");
  letGo();
  await expect(page.getByText("Moved to “Interviewing”")).toBeVisible();
  await expect(state).toHaveValue("interviewing");
  expect(await rowsOf(product, asha)).toMatchObject([{ state: "interviewing" }]);
});

test("a state chosen before hydration is saved", async ({ browser, product }) => {
  const asha = await seeker(product);
  await trackedJob(product.db, asha);
  const page = await openPage(browser, product, asha.email);
  const bringScripts = await openWithoutScripts(page, "/profile/jobs");
  await page.getByLabel("State of Type Designer").selectOption("Applied");
  await bringScripts();
  await expect(page.getByText("Moved to “Applied”")).toBeVisible();
  expect(await rowsOf(product, asha)).toMatchObject([{ state: "applied" }]);
  await page.context().close();
});

test("a row of the list has at most 96 px at 1280 px", async ({ browserOf, product }) => {
  const asha = await seeker(product);
  const nextStepOn = toIsoDay(new Date(now().getTime() - 2 * day));
  await trackedJob(product.db, asha, { notes: "Call at 11. ".repeat(20), nextStepOn });
  const page = await browserOf(asha.email, "/profile/jobs");
  const row = page.locator(".tracker_tracked");
  expect((await row.boundingBox())!.height).toBeLessThanOrEqual(96);
});

test("the email about closing jobs is off until the person chooses it", async ({
  browserOf,
  product,
}) => {
  const asha = await seeker(product);
  const page = await browserOf(asha.email);
  await resizeTo(page, 360);
  await page.goto("/profile/mails");
  const choice = page.getByLabel("A job that I saved closes in three days");
  await expect(choice).toHaveValue("never");
  await choice.selectOption("Immediately");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Email preferences saved")).toBeVisible();
  await page.reload();
  await expect(choice).toHaveValue("at once");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("an older version in a second tab is refused and keeps the typed text", async ({
  browserOf,
  product,
}) => {
  const asha = await seeker(product);
  const id = await trackedJob(product.db, asha);
  const page = await browserOf(asha.email, `/profile/jobs/${id}`);
  const other = await page.context().newPage();
  await other.goto(`/profile/jobs/${id}`);
  await other.getByLabel("Notes").fill("Saved first.");
  await other.getByRole("button", { name: "Save changes" }).click();
  await expect(other.getByText("Changes saved")).toBeVisible();

  await page.getByLabel("Notes").fill("Typed second.");
  // A refused field loads the saved version, which must not count as seen.
  await page.getByLabel("Next step on").fill("1987-05-01");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Enter a date, such as 2026-12-31.")).toBeVisible();
  await page.getByLabel("Next step on").fill("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(
    page.getByText("You changed this job in another tab or on another device."),
  ).toBeVisible();
  await expect(page.locator(".tracker_tracked-saved")).toContainText("Saved first.");
  await expect(page.getByLabel("Notes")).toHaveValue("Typed second.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Changes saved")).toBeVisible();
  expect(await rowsOf(product, asha)).toMatchObject([{ notes: "Typed second.", version: 2 }]);
});

test("a closed listing says why, on a phone too", async ({ browserOf, product }) => {
  const title = "Lantern Painter";
  const asha = await seeker(product);
  const closed = await publish(product, { title });
  await saveJob(product.db, asha, { jobId: closed, state: "saved" });
  await trackedJob(product.db, asha, {
    title: `${"Very long title ".repeat(9)}x`,
    company: "W".repeat(120),
    notes: "https://example.com/".padEnd(400, "a"),
    nextStepOn: toIsoDay(new Date(now().getTime() - 2 * day)),
  });
  const open = await publish(product, { title });
  await product.db
    .update(jobs)
    .set({ isArchived: true, archivedReason: "filled" })
    .where(eq(jobs.id, closed));
  const page = await browserOf(asha.email);
  await resizeTo(page, 360);
  await page.goto("/profile/jobs");
  await expect(page.getByText("1 overdue")).toBeVisible();
  const note = page.locator(".tracker_tracked-closed");
  await expect(note).toContainText("This job is no longer open. The company has filled it.");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await note.getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(`/jobs/${open}`);
});

function isFormOver(): boolean {
  const { fetchers } = window.__reactRouterDataRouter.state;
  return [...fetchers.values()].every(({ state }) => state === "idle");
}

/** Answers that arrive while the router still looks up the routes of the next screen. */
for (const [what, address, method] of [
  ["a save's answer", /\/save\.data/, "POST"],
  ["the reload after a save", /\.data\?_routes=root$/, "GET"],
] as const) {
  test(`a link opens its screen although ${what} arrives first`, async ({ browserOf, product }) => {
    const jobId = await publish(product, { title: "Vani Designer" });
    const asha = await seeker(product);
    const page = await browserOf(asha.email);
    const lookups = /\/__manifest\?.*about/;
    const letRoutesGo = await holdBack(page, lookups);
    const letFormGo = await holdBack(page, address, method);
    await page.goto(`/jobs/${jobId}`);
    await page.evaluate(() => (window.sameDocument = true));
    const held = page.waitForRequest((one) => address.test(one.url()) && one.method() === method);
    await save(page, "Vani Designer").click();
    await held;
    const lookup = page.waitForRequest(lookups);
    await page.getByRole("banner").getByRole("link", { name: "About" }).click();
    await lookup;
    letFormGo();
    await expect.poll(() => page.evaluate(isFormOver)).toBe(true);
    await expect(page).toHaveURL(`/jobs/${jobId}`);
    letRoutesGo();
    await expect(page).toHaveURL("/about");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("A map for a design career");
    expect(await page.evaluate(() => window.sameDocument)).toBe(true);
  });
}

test("a screen stays if a second link is pressed while a save is answered", async ({
  browserOf,
  product,
}) => {
  const title = "Tara Designer";
  const jobId = await publish(product, { title });
  const asha = await seeker(product);
  const page = await browserOf(asha.email, `/jobs/${jobId}`);
  const letServicesGo = await holdBack(page, /\/services\.data/);
  const letBoardGo = await holdBack(page, /\/jobs\.data/);
  const letSaveGo = await holdBack(page, /\/save\.data/, "POST");
  const header = page.getByRole("banner");
  const send = async (address: RegExp, press: () => Promise<void>) => {
    const sent = page.waitForRequest(address);
    await press();
    await sent;
  };
  await send(/\/save\.data/, () => save(page, title).click());
  await send(/\/services\.data/, () => header.getByRole("link", { name: "Services" }).click());
  await send(/\/services\.data/, async () => letSaveGo());
  await send(/\/jobs\.data/, () => header.getByRole("link", { name: "Jobs" }).click());
  letServicesGo();
  await expect.poll(() => page.evaluate(isFormOver)).toBe(true);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  letBoardGo();
  await expect(page.getByRole("search", { name: "Jobs" })).toBeVisible();
});

test("a designer finds a job, applies, and says later if the company answered", async ({
  browser,
  browserOf,
  product,
}) => {
  const { db } = product;
  const title = "Diya Designer";
  const jobId = await publish(product, { title, company: "Diya Lamps Pvt. Ltd." });
  const asha = await seeker(product);
  const page = await browserOf(asha.email, "/jobs?search=diya+designer");
  await page.getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("link", { name: "Contact POC Directly" }).click();
  await page.getByRole("button", { name: "Yes", exact: true }).click();
  await page.getByRole("link", { name: "See your jobs" }).click();
  await expect(page.getByRole("link", { name: title, exact: true })).toBeVisible();
  await expect(page.getByText("Did Diya Lamps Pvt. Ltd. answer?")).toBeHidden();

  // Fifteen days pass.
  const appliedOn = toIsoDay(new Date(now().getTime() - 15 * day));
  await db.update(trackedJobs).set({ appliedOn }).where(eq(trackedJobs.userId, asha.id));
  const viewport = { width: 360, height: 740 };
  const context = await browser.newContext({
    baseURL: product.origin,
    viewport,
    javaScriptEnabled: false,
  });
  await signInByCookie(context, product, asha.email);
  const phone = await context.newPage();
  await phone.goto("/profile/jobs");
  const question = phone.getByRole("heading", { name: "Did Diya Lamps Pvt. Ltd. answer?" });
  await expect(question).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await phone.getByRole("button", { name: "Not yet" }).click();
  await expect(phone.getByText("Thank you. Your answer is saved.")).toBeVisible();
  await expect(question).toBeHidden();
  await phone.getByRole("link", { name: title, exact: true }).click();
  await expect(phone.getByText("You said “Not yet”.")).toBeVisible();
  await phone.getByRole("button", { name: "Withdraw your answer" }).click();
  await expect(phone.getByText("You withdrew your answer.")).toBeVisible();
  await phone.getByRole("button", { name: "Yes, within two weeks" }).click();
  await expect(phone.getByText("You said “Yes, within two weeks”.")).toBeVisible();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await context.close();

  // Four others answered too. Two weeks pass.
  const earlier = new Date(now().getTime() - 30 * day);
  const outcomes = ["within", "within", "within", "not-yet"] as const;
  for (const outcome of outcomes) {
    const other = await person(db, "Ravi Nair");
    await db.update(users).set({ createdAt: earlier }).where(eq(users.id, other.id));
    const id = await application(db, other, 18, { jobId });
    await replyAnswer(db, other, id, { outcome, companyKey: "name:diya lamps" });
  }
  await db.update(users).set({ createdAt: earlier }).where(eq(users.id, asha.id));
  await db
    .update(replyAnswers)
    .set({ at: new Date(now().getTime() - 7 * day) })
    .where(eq(replyAnswers.companyKey, "name:diya lamps"));
  // The demo's records of this week are counted again with them.
  const { everyone, members } = getRecordWeeks();
  await db.delete(replyRecords).where(eq(replyRecords.week, members));
  await updateReplyRecords(db);
  await db
    .update(replyRecords)
    .set({ week: everyone })
    .where(and(eq(replyRecords.week, members), eq(replyRecords.companyKey, "name:diya lamps")));
  // The page of the job is cached until a job changes.
  await db.update(jobs).set({ updatedAt: now() }).where(eq(jobs.id, jobId));
  await expect(async () => {
    await page.goto(`/jobs/${jobId}`);
    const record = page.getByText("Most got a reply within 2 weeks (4 of 5)");
    await expect(record).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 90_000 });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a visitor's Save needs one more press after the sign-in", async ({ page, product }) => {
    const title = "Plain Kite Painter";
    await publish(product, { title });
    const asha = await seeker(product);
    await page.goto("/jobs?search=plain+kite");
    await save(page, title).click();
    await signIn(page, asha.email, password);
    await page.getByRole("button", { name: "Save to your jobs" }).click();
    await expect(page).toHaveURL(/\/jobs\?search=plain\+kite#job-/);
    await expect(page.getByText("Saved to your jobs")).toBeVisible();
    expect(await rowsOf(product, asha)).toHaveLength(1);

    // The shared page doesn't know it, but the answer does.
    await save(page, title).click();
    await expect(page.getByText("This job is already in your list, as “Saved”.")).toBeVisible();
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(page).toHaveURL(/\/jobs\?search=plain\+kite#job-/);
    await expect(page.getByText("Removed from your jobs")).toBeVisible();
    expect(await rowsOf(product, asha)).toEqual([]);
  });

  test("the contact's link opens an empty email, and a page has the message", async ({
    page,
    product,
  }) => {
    const jobId = await publish(product, { title: "Plain Sign Painter" });
    const asha = await seeker(product);
    const { option } = await shareReview(product, asha);
    await signInByCookie(page.context(), product, asha.email);
    await page.goto(`/jobs/${jobId}`);
    const contact = page.getByRole("link", { name: "Contact POC Directly" });
    await expect(contact).toHaveAttribute("href", "mailto:person@example.com");
    await page.getByRole("link", { name: "Edit the message first" }).click();
    await page.getByLabel("Why this job").fill("I paint signs.");
    await page.getByLabel("Link to your work").selectOption({ label: option });
    await page.getByRole("button", { name: "Save message" }).click();
    await expect(page.getByText("Message saved")).toBeVisible();
    await expect(page.getByRole("link", { name: "Open as email" })).toHaveAttribute(
      "href",
      /I%20paint%20signs\..*%2Fshared%2F/,
    );
  });

  test("jobs move, are removed and restored, and shared by hand", async ({ page, product }) => {
    const jobId = await publish(product, { title: "Plain Door Painter" });
    await page.goto(`/jobs/${jobId}`);
    await page.getByText("Share", { exact: true }).click();
    await expect(page.getByText(`${product.origin}/jobs/${jobId}`)).toBeVisible();
    await expect(page.getByRole("link", { name: "WhatsApp" })).toBeVisible();

    const asha = await seeker(product);
    await trackedJob(product.db, asha);
    await signInByCookie(page.context(), product, asha.email);
    await page.goto("/profile/jobs");
    await page.getByLabel("State of Type Designer").selectOption("Applied");
    await page.getByRole("button", { name: "Move Type Designer", exact: true }).click();
    await expect(page.getByText("Moved to “Applied”")).toBeVisible();
    await page.getByRole("button", { name: "Actions for Type Designer" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("link", { name: "Type Designer", exact: true })).toBeVisible();
    expect(await rowsOf(product, asha)).toMatchObject([
      { state: "applied", appliedOn: expect.any(String) },
    ]);
  });
});
