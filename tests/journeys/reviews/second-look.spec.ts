import { eq } from "drizzle-orm";
import { storedFiles } from "../../../app/files/tables.server.ts";
import { addBrief } from "../../../app/reviews/brief/brief.server.ts";
import { serviceReviews } from "../../../app/reviews/tables.server.ts";
import { completedReview } from "../../support/rows/review-states.ts";
import { stickingOut } from "../support/looks.ts";
import { ownPeople } from "../support/staff.ts";
import { fixture } from "../support/steps.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

test("a second look is bought on a phone without scripts", async ({ page, context, product }) => {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  const earlier = await completedReview(db, customer, nila);
  const brief = { role: "Lead designer", company: null, years: 6, questions: ["Too long?"] };
  await addBrief(db, earlier, brief);
  await signInByCookie(context, product, customer.email);

  await page.goto(`/service-review/${earlier}`);
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.getByRole("link", { name: "Start for ₹99" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Second look: Resume Review");
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.locator('input[type="file"]').setInputFiles(fixture("resume.pdf"));
  await page.getByRole("button", { name: "Upload" }).click();
  await page.getByRole("link", { name: "Continue to payment" }).click();
  expect(await page.evaluate(stickingOut)).toEqual([]);

  await page.getByText("What should the reviewer look at?").click();
  await expect(page.getByLabel("Target role")).toHaveValue("Lead designer");
  await page.getByLabel("Question 1").fill("Is it short enough now?");
  await page.getByRole("button", { name: "Pay ₹99" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("button", { name: /^Pay ₹99.00/ }).click();
  await page.getByRole("button").first().click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();

  const [look] = await db
    .select()
    .from(serviceReviews)
    .where(eq(serviceReviews.secondLookOf, earlier));
  expect(look).toMatchObject({ status: "pending", priority: 0, userId: customer.id });
  const files = await db
    .select({ name: storedFiles.originalName })
    .from(storedFiles)
    .where(eq(storedFiles.path, look!.resumeFilePath!));
  expect(files).toEqual([{ name: "resume.pdf" }]);

  await page.goto("/profile");
  const card = page.getByRole("listitem").filter({ hasText: "Second look" });
  await expect(card.getByRole("heading", { name: "Resume Review" })).toBeVisible();
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await card.getByRole("link", { name: "Earlier review" }).click();
  await expect(page.getByRole("link", { name: "View the second look" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Start for ₹99" })).toHaveCount(0);
  await page.goto(`/service-review/${earlier}/second-look`);
  await expect(page.getByText("You've already bought a second look at this review.")).toBeVisible();
  await page.goto("/profile/payments");
  await expect(page.getByText("Second look: Resume Review").first()).toBeVisible();

  await signInByCookie(context, product, "gita@example.in");
  await page.goto(`/admin/reviews?search=${customer.email}`);
  await expect(page.getByText(`Reviewed before by ${nila.fullName}`)).toBeVisible();
  expect(await page.evaluate(stickingOut)).toEqual([]);
});
