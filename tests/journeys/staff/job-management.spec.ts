import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { isOpen } from "../../../app/jobs/find.server.ts";
import { anywhere } from "../../../app/jobs/places/rules.ts";
import { jobs } from "../../../app/jobs/tables.server.ts";
import { sessions, users } from "../../../app/accounts/tables.server.ts";
import { holdBack, signIn } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";
import { openPlainPage } from "../support/visitors.ts";
import { insertJob, jobRow } from "../../support/rows/jobs.ts";

const adder = "devi@example.in";

test("an adder creates, edits, archives, unarchives and deletes a listing", async ({
  page,
  product,
  browserOf,
}) => {
  const staff = await browserOf(adder, "/job-board");
  await staff.getByRole("link", { name: "Add New Job" }).click();
  const dialog = staff.getByRole("dialog", { name: "Create New Job Listing" });
  await expect(dialog.getByLabel("Job type *")).toHaveValue("Full-time");

  // Errors are shown beside the fields, and nothing typed is lost.
  await dialog.getByLabel("Portal application link").fill("example.com");
  await dialog.getByRole("button", { name: "Create Job" }).click();
  for (const message of [
    "Job title must be at least 3 characters",
    "Company name is required",
    "Location is required",
    "Must be a valid URL",
  ]) {
    await expect(dialog.getByText(message)).toBeVisible();
  }
  await expect(dialog.getByLabel("Job title *")).toBeFocused();
  await expect(dialog.getByLabel("Portal application link")).toHaveValue("example.com");

  await fillJob(staff, "Contour Engraver");
  // Clicks both before the router reports that the form is submitting.
  await dialog.evaluate((element) => {
    element.querySelector<HTMLElement>(".dialog_foot [type=submit]")!.click();
    element.querySelector<HTMLElement>("[aria-label=Close]")!.click();
  });
  await expect(staff.getByText("Saving the job listing...")).toBeVisible();
  await expect(staff.getByText("Job listing created successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(staff.getByText("Contour Engraver")).toBeVisible();
  await page.goto("/jobs?search=contour");
  await expect(page.getByRole("link", { name: "Contour Engraver" })).toBeVisible();

  await rowOf(staff, "Contour Engraver").getByRole("link", { name: "Edit" }).click();
  const edit = staff.getByRole("dialog", { name: "Edit Job Listing" });
  await expect(edit.getByLabel("Detailed description *")).toHaveValue("Line one\nLine two");
  await edit.getByLabel("Job title *").fill("Chief Engraver");
  await edit.getByRole("button", { name: "Update Job" }).click();
  await expect(staff.getByText("Job listing updated successfully")).toBeVisible();

  await rowOf(staff, "Chief Engraver").getByRole("button", { name: "Archive" }).click();
  await expect(staff.getByText("Job listing archived successfully")).toBeVisible();
  await expect(rowOf(staff, "Chief Engraver")).toBeHidden();
  await page.goto("/jobs?search=engraver");
  await expect(page.getByText("No jobs found matching your criteria.")).toBeVisible();

  await staff.getByRole("link", { name: "Archived Jobs" }).click();
  await rowOf(staff, "Chief Engraver").getByRole("button", { name: "Unarchive" }).click();
  await expect(staff.getByText("Job listing unarchived successfully")).toBeVisible();
  await staff.getByRole("link", { name: "Published Jobs" }).click();

  await openDelete(staff, "Chief Engraver");
  const question = staff.getByRole("dialog", { name: "Delete this job listing?" });
  await expect(question).toContainText("“Chief Engraver” at Example Studio");
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(rowOf(staff, "Chief Engraver")).toBeVisible();
  await openDelete(staff, "Chief Engraver");
  const release = await holdBack(staff, /\/job-board\.data/, "POST");
  await question.getByRole("button", { name: "Delete permanently" }).click();
  await staff.keyboard.press("Escape");
  await expect(staff.getByText("Please wait, changes are being saved...")).toBeVisible();
  release();
  await expect(staff.getByText("Job listing deleted successfully")).toBeVisible();
  expect(await product.db.$count(jobs, eq(jobs.title, "Chief Engraver"))).toBe(0);
});

test("a listing's details are saved, and an error keeps what was typed", async ({
  page,
  browserOf,
}) => {
  const staff = await browserOf(adder, "/job-board?new");
  const dialog = staff.getByRole("dialog", { name: "Create New Job Listing" });
  await fillJob(staff, "Isobar Designer");
  const summary = dialog.getByText("Details for filters");
  await expect(dialog.getByLabel("Work mode")).toBeHidden();
  await summary.click();
  await dialog.getByLabel("Work mode").selectOption("Remote");
  await expect(dialog.getByLabel("Where applicants may live")).toBeVisible();
  await dialog.getByLabel("Work mode").selectOption("Hybrid");
  await expect(dialog.getByLabel("Where applicants may live")).toBeHidden();
  await dialog.getByLabel("Discipline").selectOption("UX design");
  await dialog.getByLabel("Places of work").fill("Poona, Atlantis");
  await dialog.getByText("Design software").click();
  await dialog.getByLabel("Figma").check();
  await dialog.getByLabel("Pay from").fill("12 lakh");
  await summary.click();
  await dialog.getByRole("button", { name: "Create Job" }).click();

  // The error opens the details again.
  const unknown = "We don't know “Atlantis”. Use the nearest city, or its state.";
  await expect(dialog.getByText(unknown)).toBeVisible();
  await expect(dialog.getByText("Choose a pay period.")).toBeVisible();
  await expect(dialog.getByLabel("Places of work")).toBeFocused();
  await expect(dialog.getByLabel("Places of work")).toHaveValue("Poona, Atlantis");
  await expect(dialog.getByLabel("Figma")).toBeChecked();
  await dialog.getByLabel("Places of work").fill("Poona");
  await dialog.getByLabel("Pay period").selectOption("Year");
  await dialog.getByRole("button", { name: "Create Job" }).click();
  await expect(staff.getByText("Job listing created successfully")).toBeVisible();

  await page.goto("/jobs?search=isobar");
  await expect(page.getByText("Pune · Hybrid")).toBeVisible();
  await page.getByRole("link", { name: "Isobar Designer" }).click();
  await expect(page.getByText("From ₹12 LPA").first()).toBeVisible();
  const figma = page.getByRole("link", { name: "Figma" });
  await expect(figma).toHaveAttribute("href", "/jobs?skill=figma");

  // A changed box counts as a change, and the form of a listing with details shows them.
  await rowOf(staff, "Isobar Designer").getByRole("link", { name: "Edit" }).click();
  const edit = staff.getByRole("dialog", { name: "Edit Job Listing" });
  await expect(edit.getByLabel("Pay from")).toHaveValue("12,00,000");
  await edit.getByLabel("Figma").uncheck();
  await staff.keyboard.press("Escape");
  const question = staff.getByRole("dialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await edit.getByRole("button", { name: "Update Job" }).click();
  await expect(staff.getByText("Job listing updated successfully")).toBeVisible();
  await page.reload();
  await expect(page.getByText("From ₹12 LPA").first()).toBeVisible();
  await expect(figma).toHaveCount(0);
});

test("a location proposes places while it is typed, and its details when it is left", async ({
  page,
  browserOf,
}) => {
  const staff = await browserOf(adder, "/job-board?new");
  await staff.setViewportSize({ width: 360, height: 740 });
  const dialog = staff.getByRole("dialog", { name: "Create New Job Listing" });
  await fillJob(staff, "Hachure Designer");
  const location = dialog.getByLabel("Location *");
  const add = dialog.getByRole("button", { name: "Add to the details" });
  await location.fill("Pune, Karnataka");
  await location.press("Tab");
  await expect(dialog.getByText("“Pune” and “Karnataka” don't fit together.")).toBeVisible();
  const answer = staff.waitForResponse("/places?location=&mode=");
  await location.fill("");
  await answer;
  await location.press("Tab");
  await expect(dialog.getByText("don't fit together.")).toBeHidden();
  await location.pressSequentially("Hybrid, kozh");
  await expect(dialog.locator("datalist option")).toHaveText(["Hybrid, Kozhikode, Kerala"]);
  // Nothing is offered for a half-typed location.
  await expect(add).toBeHidden();
  await location.fill("Hybrid, Calicut");
  await location.press("Tab");
  await expect(
    dialog.getByText(
      "Filters don't know yet what this location says: work mode (Hybrid), places of work (Kozhikode).",
    ),
  ).toBeVisible();
  // The browser reports no change if the same text is typed again.
  await location.fill("Hybrid");
  await expect(add).toBeHidden();
  await location.fill("Hybrid, Calicut");
  await location.press("Tab");
  await expect(add).toBeVisible();
  expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const places = dialog.getByLabel("Places of work");
  await expect(places).toHaveValue("");
  await location.focus();
  await staff.keyboard.press("Tab");
  await expect(add).toBeFocused();
  await staff.keyboard.press("Enter");
  await expect(add).toBeHidden();
  await expect(location).toBeFocused();
  await expect(dialog.getByText("Added to the details below.")).toBeVisible();
  await expect(
    dialog.getByText("Filters will find this job by work mode (Hybrid), place (Kozhikode)."),
  ).toBeVisible();
  await expect(places).toHaveValue("Kozhikode");
  await dialog.getByRole("button", { name: "Create Job" }).click();
  await expect(staff.getByText("Job listing created successfully")).toBeVisible();
  await page.goto("/jobs?search=hachure&place=kozhikode&mode=hybrid");
  await expect(page.getByRole("link", { name: "Hachure Designer" })).toBeVisible();
});

test("the form of a listing without details offers those of its location, but not stated ones", async ({
  browserOf,
  product,
}) => {
  const [devi] = await product.db.select().from(users).where(eq(users.email, adder));
  const { id } = await insertJob(product.db, { location: "Remote, India", createdBy: devi!.id });
  const staff = await browserOf(adder, `/job-board?edit=${id}`);
  const dialog = staff.getByRole("dialog", { name: "Edit Job Listing" });
  const offer = dialog.getByText(/^Filters don't know yet/);
  await expect(offer).toContainText("work mode (Remote), where applicants may live (India).");
  await dialog.getByText("Details for filters").click();
  await dialog.getByLabel("Work mode").selectOption("On-site");
  await expect(offer).toHaveText(/: places of work \(India\)\.$/);
  await dialog.getByLabel("Work mode").selectOption("Remote");
  await dialog.getByLabel("Anywhere").check();
  await expect(offer).toBeHidden();
  expect(await jobRow(product.db, id)).toMatchObject({ workMode: null, placeIds: [] });
});

test("a changed form survives a stray click, an offline moment and an ended session", async ({
  browserOf,
  product,
}) => {
  const staff = await browserOf("sonia@example.com", "/job-board");
  await expect(staff.getByText("You have no jobs on the board")).toBeVisible();
  await staff.getByRole("link", { name: "Add New Job" }).click();
  const dialog = staff.getByRole("dialog", { name: "Create New Job Listing" });
  const question = staff.getByRole("dialog", { name: "Discard your changes?" });
  await fillJob(staff, "Star Chart Designer");
  await staff.mouse.click(5, 5);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toBeHidden();
  // Cancel discards without asking.
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await expect(question).toBeHidden();
  await staff.getByRole("link", { name: "Add New Job" }).click();
  await fillJob(staff, "Star Chart Designer");
  // Escape opens the question, and a second Escape closes only the question.
  for (const asks of [true, false, true]) {
    await staff.keyboard.press("Escape");
    await expect(question).toBeVisible({ visible: asks });
    await expect(dialog.getByLabel("Job title *")).toHaveValue("Star Chart Designer");
  }
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(question).toBeHidden();

  // The form keeps its text while the browser is offline.
  await staff.context().setOffline(true);
  await dialog.getByRole("button", { name: "Create Job" }).click();
  await expect(
    staff.getByText("We can't reach the server. Your text is still here."),
  ).toBeVisible();
  await expect(dialog.getByLabel("Job title *")).toHaveValue("Star Chart Designer");
  await staff.context().setOffline(false);

  // After the session ends, logging in restores the form.
  const [sonia] = await product.db.select().from(users).where(eq(users.email, "sonia@example.com"));
  await product.db.delete(sessions).where(eq(sessions.userId, sonia!.id));
  await dialog.getByRole("button", { name: "Create Job" }).click();
  await expect(
    staff.getByText("You must be signed in to create or edit a job listing"),
  ).toBeVisible();
  await expect(staff.getByRole("heading", { name: "Log in" })).toBeVisible();
  await signIn(staff, "sonia@example.com", "demo-Password1");
  await expect(staff.getByText("Successfully signed in!")).toBeVisible();
  await expect(staff.getByLabel("Job title *")).toHaveValue("Star Chart Designer");
  await staff.getByRole("button", { name: "Create Job" }).click();
  await expect(staff.getByText("Job listing created successfully")).toBeVisible();
  await expect(rowOf(staff, "Star Chart Designer")).toBeVisible();
});

test("the dialog opens and closes with only the keyboard", async ({ browserOf }) => {
  const staff = await browserOf(adder, "/job-board");
  const add = staff.getByRole("link", { name: "Add New Job" });
  await add.focus();
  await staff.keyboard.press("Enter");
  const dialog = staff.getByRole("dialog", { name: "Create New Job Listing" });
  await expect(dialog).toBeVisible();
  await staff.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();
  await expect(staff).toHaveURL(/\/job-board$/);
});

// Covered by "app/jobs/manage/job-management.test.ts: a new listing leads to the top".
test("a listing can be created, edited and deleted without scripts @slow", async ({
  browser,
  product,
}) => {
  const staff = await openPlainPage(browser, product, adder);
  await staff.goto("/job-board");
  await staff.getByRole("link", { name: "Add New Job" }).click();
  await expect(staff.getByRole("heading", { name: "Create New Job Listing" })).toBeVisible();
  await fillJob(staff, "UX");
  await staff.getByRole("button", { name: "Create Job" }).click();
  await expect(staff.getByText("Job title must be at least 3 characters")).toBeVisible();
  await expect(staff.getByLabel("Company *")).toHaveValue("Example Studio");
  await staff.getByLabel("Job title *").fill("Plane Table Surveyor");
  await staff.getByRole("button", { name: "Create Job" }).click();
  await expect(staff.getByText("Job listing created successfully")).toBeVisible();

  await rowOf(staff, "Plane Table Surveyor").getByRole("link", { name: "Edit" }).click();
  await staff.getByLabel("Location *").fill("Dehradun");
  await staff.getByText("Details for filters").click();
  await staff.getByLabel("Work mode").selectOption("Remote");
  await staff.getByText("Product and interaction").click();
  await staff.getByLabel("Wireframing").check();
  await staff.getByRole("button", { name: "Update Job" }).click();
  await expect(
    staff.getByText("Enter where applicants may live, or tick “Anywhere”."),
  ).toBeVisible();
  await expect(staff.getByLabel("Wireframing")).toBeChecked();
  await staff.getByLabel("Wireframing").uncheck();
  await staff.getByLabel("Anywhere").check();
  await staff.getByLabel("Experience from (years)").fill("two");
  await staff.getByRole("button", { name: "Update Job" }).click();
  await expect(staff.getByText("Enter whole years, such as 2.")).toBeVisible();
  await expect(staff.getByLabel("Anywhere")).toBeChecked();
  await staff.getByLabel("Experience from (years)").fill("2");
  await staff.getByLabel("Hours for the test task").fill("4");
  await staff.getByRole("button", { name: "Update Job" }).click();
  await expect(
    staff.getByText("Choose an unpaid or a paid test task, or remove the hours."),
  ).toBeVisible();
  await staff.getByLabel("Test task", { exact: true }).selectOption("Paid test task");
  await staff.getByLabel("Answer within (days)").fill("14");
  await staff.getByRole("button", { name: "Update Job" }).click();
  await expect(rowOf(staff, "Plane Table Surveyor")).toContainText("Dehradun");
  const [saved] = await product.db
    .select()
    .from(jobs)
    .where(eq(jobs.title, "Plane Table Surveyor"));
  expect(saved).toMatchObject({
    workMode: "remote",
    applicantPlaceIds: [anywhere],
    experienceMin: 2,
    skillIds: [],
    testTask: "paid",
    testTaskHours: 4,
    answerDays: 14,
  });
  await staff.goto(`/jobs/${saved!.id}`);
  await expect(
    staff.getByText("Paid test task, about 4 hours · Answers within 14 days"),
  ).toBeVisible();
  await staff.goto("/job-board");
  await rowOf(staff, "Plane Table Surveyor").getByRole("button", { name: "Archive" }).click();
  await expect(staff.getByText("Job listing archived successfully")).toBeVisible();
  await staff.getByRole("button", { name: "Undo" }).click();
  await expect(staff.getByText("Job listing unarchived successfully")).toBeVisible();
  await rowOf(staff, "Plane Table Surveyor").getByRole("button", { name: "Archive" }).click();
  await staff.getByRole("link", { name: "Archived Jobs" }).click();
  await openDelete(staff, "Plane Table Surveyor");
  await staff.getByRole("button", { name: "Delete permanently" }).click();
  await expect(staff.getByText("Job listing deleted successfully")).toBeVisible();
  await staff.context().close();
});

test("archiving and unarchiving are undone from their message, until someone else changes the listing", async ({
  browserOf,
  product: { db },
}) => {
  const [devi] = await db.select().from(users).where(eq(users.email, adder));
  const title = "Undone Cartographer";
  const description = "Draws maps.";
  await insertJob(db, { title, description, createdBy: devi!.id });
  const staff = await browserOf(adder, `/job-board?search=undone`);
  const undo = staff.locator(".toasts_toast").getByRole("button", { name: "Undo" });
  await rowOf(staff, title).getByRole("button", { name: "Archive" }).click();
  await expect(rowOf(staff, title)).toBeHidden();
  await undo.click();
  await expect(staff.getByText("Job listing unarchived successfully")).toBeVisible();
  await expect(rowOf(staff, title)).toBeVisible();
  await expect(staff).toHaveURL(/search=undone/);

  await rowOf(staff, title).getByRole("button", { name: "Archive" }).click();
  await expect(rowOf(staff, title)).toBeHidden();
  await staff.goto("/job-board?tab=archived&search=undone");
  await rowOf(staff, title).getByRole("button", { name: "Unarchive" }).click();
  await expect(rowOf(staff, title)).toBeHidden();
  await undo.click();
  await expect(rowOf(staff, title)).toBeVisible();

  await rowOf(staff, title).getByRole("button", { name: "Unarchive" }).click();
  await expect(rowOf(staff, title)).toBeHidden();
  await db.update(jobs).set({ isArchived: true }).where(eq(jobs.title, title));
  await undo.click();
  await expect(staff.getByText("This listing was changed after that")).toBeVisible();
});

// Covered by "an adder creates, edits".
test("a god admin finds and edits another person's listing @slow", async ({
  browserOf,
  product,
}) => {
  const [devi] = await product.db.select().from(users).where(eq(users.email, adder));
  const [job] = await product.db
    .select()
    .from(jobs)
    .where(and(eq(jobs.createdBy, devi!.id), isOpen))
    .orderBy(jobs.title)
    .limit(1);
  const staff = await browserOf("gita@example.in", "/admin/jobs");
  await staff.getByRole("searchbox", { name: "Search jobs" }).fill(job!.title);
  await staff.keyboard.press("Enter");
  await expect(staff).toHaveURL(/search=/);
  await expect(rowOf(staff, job!.title).first()).toBeVisible();
  await expect(staff.getByRole("searchbox", { name: "Search jobs" })).toBeFocused();
  await staff.goto(`/admin/jobs?edit=${job!.id}`);
  await staff.getByLabel("Compensation").fill("₹20 LPA");
  await staff.getByRole("button", { name: "Update Job" }).click();
  await expect(staff.getByText("Job listing updated successfully")).toBeVisible();
  const after = await jobRow(product.db, job!.id);
  expect(after).toMatchObject({ compensation: "₹20 LPA", createdBy: devi!.id });

  const other = await browserOf("sonia@example.com");
  expect((await other.goto(`/job-board?edit=${job!.id}`))!.status()).toBe(404);
  await expect(other.getByText("Job listing not found").first()).toBeVisible();
});

test("the second of two people who edit a listing sees a conflict", async ({
  browserOf,
  product,
}) => {
  const [devi] = await product.db.select().from(users).where(eq(users.email, adder));
  const [job] = await product.db
    .select()
    .from(jobs)
    .where(and(eq(jobs.createdBy, devi!.id), isOpen))
    .orderBy(jobs.title)
    .limit(1);
  const [hers, admins] = [await browserOf(adder), await browserOf("gita@example.in")];
  await hers.goto(`/job-board?edit=${job!.id}`);
  await admins.goto(`/admin/jobs?edit=${job!.id}`);
  await admins.getByLabel("POC name").fill("Anita Desai");
  await admins.getByRole("button", { name: "Update Job" }).click();
  await expect(admins.getByText("Job listing updated successfully")).toBeVisible();

  await hers.getByLabel("Location *").fill("Nagpur");
  for (const _attempt of ["first", "second"]) {
    await hers.getByRole("button", { name: "Update Job" }).click();
    await expect(hers.getByText(/^Someone else changed this listing/).first()).toBeVisible();
    await expect(hers.getByLabel("Location *")).toHaveValue("Nagpur");
  }
  const saved = await jobRow(product.db, job!.id);
  expect(saved).toMatchObject({ pocName: "Anita Desai", location: job!.location });
});

// Covered by "the second of two people who edit".
test("the form of a listing deleted meanwhile keeps its text @slow", async ({
  browserOf,
  product,
}) => {
  const staff = await browserOf(adder, "/job-board?new");
  await fillJob(staff, "Short-lived Surveyor");
  await staff.getByRole("button", { name: "Create Job" }).click();
  await rowOf(staff, "Short-lived Surveyor").getByRole("link", { name: "Edit" }).click();
  await staff.getByLabel("Location *").fill("Nagpur");
  await product.db.delete(jobs).where(eq(jobs.title, "Short-lived Surveyor"));
  const dialog = staff.getByRole("dialog", { name: "Edit Job Listing" });
  for (const _attempt of ["first", "second"]) {
    const response = staff.waitForResponse((received) => received.request().method() === "POST");
    await dialog.getByRole("button", { name: "Update Job" }).click();
    await response;
    await expect(dialog.getByText("Job listing not found").first()).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Update Job" })).toBeEnabled();
    await expect(dialog.getByLabel("Location *")).toHaveValue("Nagpur");
    await expect(dialog.getByLabel("Company *")).toHaveValue("Example Studio");
  }
  await staff.keyboard.press("Escape");
  await staff.getByRole("button", { name: "Discard changes" }).click();
  await expect(dialog).toBeHidden();
});

function rowOf(page: Page, title: string) {
  return page.getByRole("row").filter({ hasText: title });
}

async function openDelete(page: Page, title: string): Promise<void> {
  await page.getByLabel(`Actions for ${title}`).click();
  await rowOf(page, title).getByRole("link", { name: "Delete" }).click();
}

async function fillJob(page: Page, title: string): Promise<void> {
  await page.getByLabel("Job title *").fill(title);
  await page.getByLabel("Company *").fill("Example Studio");
  await page.getByLabel("Location *").fill("Pune");
  await page.getByLabel("Brief summary *").fill("Fine lines.");
  await page.getByLabel("Detailed description *").fill("Line one\nLine two");
  await page.getByLabel("Portal application link").fill("https://example.com/apply");
}
