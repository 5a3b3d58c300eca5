import { noticeVersion } from "../../../app/accounts/consents/notice.ts";
import { formatNoticeVersion } from "../../../app/accounts/consents/rules.ts";
import { personOfOldNotice } from "../../../db/demo/people.ts";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { expect, test } from "../support/test.ts";

const noticeDate = formatNoticeVersion(noticeVersion);

test("a new person sees their consents, allows a sample, withdraws it and finds both in the history", async ({
  page,
  product,
}) => {
  const email = "consents@example.com";
  await page.goto("/signup");
  await page.getByLabel("Full name").fill("Leela Newcomer");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse1");
  await page.getByLabel("Confirm password").fill("Correct-horse1");
  await page
    .getByLabel("I am 18 or older and accept the Terms and the Privacy Policy", { exact: true })
    .check();
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Account Created" })).toBeVisible();
  await page.goto((await linkMailedTo(product.db, email)).href);
  await expect(page.getByRole("heading", { name: "Your account is confirmed" })).toBeVisible();

  await page.goto("/profile");
  const banner = page.getByRole("region", { name: "Privacy notice" });
  await expect(banner).toHaveCount(0);
  await page.getByRole("link", { name: "Your data and consents" }).click();
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const age = row("The service is for adults");
  await expect(age).toContainText(`when you signed up. Privacy notice of ${noticeDate}.`);
  await expect(age.getByRole("button")).toHaveCount(0);
  await expect(row("Emails about your reviews")).toContainText("On since you joined.");

  const sample = row("We may show one of your reviews");
  await sample.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("We may use your review as a sample")).toBeVisible();
  await sample.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("We no longer use your review as a sample")).toBeVisible();
  await expect(sample).toContainText("Not allowed");
  const history = page.locator(".consents_history");
  await expect(history).toContainText(
    /Your review as an anonymous sample: given on .*, on your profile\..* Withdrawn on /,
  );

  await row("Emails about your reviews").getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Optional emails are off")).toBeVisible();
  await page.getByRole("link", { name: "Choose each email" }).click();
  await expect(page.getByLabel("My review is ready")).toHaveValue("never");
});

test("a changed notice asks on each screen, blocks none, and disappears when it is accepted", async ({
  browserOf,
}) => {
  const page = await browserOf(personOfOldNotice.email, "/profile");
  const banner = page.getByRole("region", { name: "Privacy notice" });
  await expect(banner).toContainText(`Our privacy notice changed on ${noticeDate}.`);
  await page.getByRole("link", { name: "Email preferences" }).click();
  const ready = page.getByLabel("My review is ready");
  await ready.selectOption("Never");
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: "I'm 18 or older and accept both" }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByText("You accepted the privacy notice")).toBeVisible();
  await expect(page).toHaveURL(/\/profile\/mails$/);
  await expect(ready).toHaveValue("never");
  await expect(page.getByRole("main")).toBeFocused();
  await page.goto("/profile/data");
  await expect(banner).toHaveCount(0);
  await expect(page.locator(".consents_history")).toContainText("Privacy notice of May 1, 2025.");
  await expect(page.locator(".consents_history")).toContainText("when we showed you the notice");
});
