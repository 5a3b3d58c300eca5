import { changeDraft } from "../../../app/review-customer/buy/drafts.server.ts";
import { saveIntroduction } from "../../../app/reviews/reviewer-profile/introductions.server.ts";
import { services } from "../../../app/reviews/rules.ts";
import { stickingOut } from "../support/looks.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

/** A customer's wish for a reviewer, on the smallest phone and without scripts. */

test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

test("a customer wishes for a field and a language by keyboard, and an admin sees who matches", async ({
  page,
  context,
  product,
}) => {
  const { db } = product;
  const { customer, nila } = await ownPeople(product);
  await saveIntroduction(db, nila, {
    firstName: "Nila",
    field: "game art",
    about: "",
    knownFields: ["game"],
    languages: ["Odia"],
  });
  await changeDraft(db, customer.id, services.portfolio_review, {
    portfolioUrl: "https://portfolio.example.com",
  });
  await signInByCookie(context, product, customer.email);
  await page.goto("/services/portfolio-review?step=payment");
  await page.locator("summary", { hasText: "What should the reviewer look at?" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Question 3").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("A field that your reviewer knows")).toBeFocused();
  await page.keyboard.type("Game");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("A language that your reviewer speaks")).toBeFocused();
  await page.keyboard.type("Odia");
  expect(await page.evaluate(stickingOut)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Pay ₹199" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved for this review").first()).toBeVisible();
  await expect(page.getByText("wish: Game design, Odia")).toBeVisible();
  await expect(page.getByLabel("A language that your reviewer speaks")).toHaveValue("Odia");

  await page.getByRole("button", { name: "Pay ₹199" }).click();
  await page.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("button", { name: /^Pay ₹199.00/ }).click();
  await page.getByRole("button").first().click();
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();

  await signInByCookie(context, product, "gita@example.in");
  await page.goto(`/admin/reviews?search=${customer.email}`);
  await expect(page.getByText("Wish: Game design, Odia")).toBeVisible();
  const match = page.getByRole("option", { name: `${nila.fullName} (0) · Game design · Odia` });
  await expect(match).toBeAttached();
  expect(await page.evaluate(stickingOut)).toEqual([]);
});
