import { join } from "node:path";
import { eq } from "drizzle-orm";
import { hashPassword } from "../../../app/accounts/passwords.server.ts";
import { sealedAccounts, users } from "../../../app/accounts/tables.server.ts";
import { createDiskStore } from "../../../app/files/disk-store.server.ts";
import { deleteClosedAccounts } from "../../../app/own-data/closing/purge-accounts.server.ts";
import { day, now } from "../../../app/platform/clock.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { givePassword, person } from "../../support/rows/people.ts";
import { review } from "../../support/rows/reviews.ts";
import { expect, test } from "../support/test.ts";

const password = "Correct-horse1";

test("a person closes their account on a phone, comes back, closes it again and is deleted", async ({
  page,
  product: { db },
}) => {
  const leela = await person(db, "Leela Leaving");
  await givePassword(db, leela, await hashPassword(password));
  await page.setViewportSize({ width: 360, height: 740 });
  const signIn = async () => {
    await page.goto("/login");
    await page.getByLabel("Email").fill(leela.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
  };
  const close = async () => {
    await page.goto("/profile/data");
    await page.getByRole("link", { name: "Close your account" }).click();
    await expect(page.getByRole("heading", { name: "Close your account" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      360,
    );
    await page.getByRole("button", { name: "Close my account" }).click();
    await expect(page.getByText("Tick the box to close your account")).toBeVisible();
    await page.getByLabel("I want to close my account").check();
    await page.getByRole("button", { name: "Close my account" }).click();
    await expect(page.getByText("Your account is closed", { exact: true })).toBeVisible();
  };

  await signIn();
  await expect(page.getByText("Successfully signed in!")).toBeVisible();
  const { id } = await review(db, leela);
  await page.goto("/profile/data/close");
  await expect(page.getByText("You have a review that isn't ready yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Close my account" })).toHaveCount(0);
  await db.execute(`delete from service_reviews where id = '${id}'`);

  await close();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login/);
  const [mail] = await mailsTo(db, leela.email);
  expect(mail!.subject).toBe("Your Naksha account is closed");

  await signIn();
  await expect(page.getByText("Your account is open again")).toBeVisible();
  await page.goto("/profile");
  await expect(page.getByText("Leela Leaving").first()).toBeVisible();

  await close();
  await db
    .update(sealedAccounts)
    .set({ purgeAt: new Date(now().getTime() - day) })
    .where(eq(sealedAccounts.userId, leela.id));
  await signIn();
  await expect(page.getByText("This account is closed.").first()).toBeVisible();
  expect(await deleteClosedAccounts(db, createDiskStore(join("/tmp", leela.id)))).toBe(1);
  await signIn();
  await expect(page.getByText("Invalid email or password").first()).toBeVisible();
  const [shell] = await db.select().from(users).where(eq(users.id, leela.id));
  expect(shell).toMatchObject({ name: "", email: `${leela.id}@closed.invalid` });
});
