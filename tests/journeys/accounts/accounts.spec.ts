import { hashPassword } from "../../../app/accounts/passwords.server.ts";
import { linkMailedTo } from "../../support/rows/mailbox.ts";
import { givePassword, person } from "../../support/rows/people.ts";
import { holdBack, resizeTo, signIn } from "../support/steps.ts";
import { expect, test, whenLive } from "../support/test.ts";

const password = "Correct-horse1";

test("a visitor signs up, confirms their address and is signed in", async ({ page, product }) => {
  const email = "newcomer@example.com";
  await page.goto("/signup?next=%2Fjobs");
  await page.getByLabel("Full name").fill("नई Newcomer");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await expect(page.getByText("Strong", { exact: true })).toBeVisible();
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Account Created" })).toBeVisible();
  await expect(page.getByText("Account created successfully!")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();

  await page.goto("/login");
  await signIn(page, email, password);
  await expect(page.getByText("Please verify your email address before logging in.")).toBeVisible();
  await expect(page.getByText("Email not verified")).toBeVisible();
  await expect(page.getByText("Failed to sign in")).toHaveCount(0);
  const first = (await linkMailedTo(product.db, email)).href;
  await page.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByText("Confirmation sent")).toBeVisible();
  expect((await linkMailedTo(product.db, email)).href).not.toBe(first);

  await page.goto((await linkMailedTo(product.db, email)).href);
  await expect(page.getByRole("heading", { name: "Your account is confirmed" })).toBeVisible();
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.getByRole("link", { name: "नई" })).toBeVisible();

  // The used link still says that the address is confirmed.
  const used = (await linkMailedTo(product.db, email)).href;
  for (const width of [360, 1280]) {
    await resizeTo(page, width);
    await page.goto(used);
    await expect(
      page.getByRole("heading", { name: "Your email address is confirmed" }),
    ).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Log in" })).toBeVisible();
    await expect(page.getByText("didn't work")).toHaveCount(0);
  }
  await page.goto(used.replace(/token_hash=.{10}/, "token_hash=madeupmade"));
  await expect(
    page.getByText("Invalid or expired confirmation link. Please request a new one."),
  ).toBeVisible();
});

test("the sign-up form shows errors in order and keeps the input", async ({ page }) => {
  await page.goto("/signup");
  const meter = page.getByRole("meter", { name: "Password strength" });
  await expect(meter).toHaveAttribute("aria-valuetext", "Enter a password");
  await expect(page.getByText("Weak", { exact: true })).toHaveCount(0);
  await page.getByLabel("Full name").fill("Asha Verma");
  await page.getByLabel("Email").fill("keeps@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await expect(page.getByText("Weak", { exact: true })).toBeVisible();
  await expect(page.getByText("At least 8 characters")).toBeVisible();
  await expect(page.getByText("Strong")).toHaveCount(0);
  await page.getByLabel("Confirm password").fill("different");
  const submit = page.getByRole("button", { name: "Sign up" });
  await submit.click();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await page.getByLabel("Confirm password").fill("short");
  await submit.click();
  await expect(page.getByText("You must accept the terms and conditions")).toBeVisible();
  await page.getByRole("checkbox").check();
  await submit.click();
  await expect(page.getByText("Password must be at least 8 characters long")).toBeVisible();
  for (const label of ["Password", "Confirm password"])
    await page.getByLabel(label, { exact: true }).fill("Password1");
  await submit.click();
  await expect(page.getByText("This password is too common. Please choose another.")).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Asha Verma");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
});

test("an error doesn't take the focus away from another field", async ({ page }) => {
  await page.goto("/signup");
  const name = page.getByLabel("Full name");
  await name.fill("Asha");
  await page.getByLabel("Email").fill("late@example.com");
  const release = await holdBack(page, /\/signup\.data/, "POST");
  await page.keyboard.press("Enter");
  await name.focus();
  await page.keyboard.press("End");
  release();
  await expect(page.locator(".field_error").first()).toBeVisible();
  await page.keyboard.type(" Verma");
  await expect(name).toHaveValue("Asha Verma");
});

test("signing in leads to the role's dashboard or the requested page", async ({ page }) => {
  for (const [email, path] of [
    ["devi@example.in", "/job-board"],
    ["gita@example.in", "/admin"],
    ["meera@example.in", "/reviewer"],
    ["ravi@example.com", "/"],
  ] as const) {
    await page.goto("/login");
    await signIn(page, email, "demo-Password1");
    await expect(page.getByText("Successfully signed in!")).toBeVisible();
    await expect(page).toHaveURL(new RegExp(path));
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByText("Successfully signed out!")).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  }
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile/);
  await signIn(page, "ravi@example.com", "demo-Password1");
  await expect(page).toHaveURL(/\/profile$/);
});

test("the password label names only the field, not the button that shows it", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Show password" }).click();
  await page.getByLabel("Password").fill(password);
  await expect(page.getByRole("textbox", { name: "Password" })).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "password");
});

test("a wrong password shows an error above the form and in a toast", async ({ page }) => {
  await page.goto("/login");
  await signIn(page, "ravi@example.com", "not it");
  await expect(
    page.getByRole("alert").filter({ hasText: "Invalid email or password" }).first(),
  ).toBeVisible();
  await expect(page.getByText("Failed to sign in")).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("ravi@example.com");
});

for (const [path, button, message] of [
  ["/login", "Log in", "You must provide either an email or phone number and a password"],
  ["/signup", "Sign up", "Please enter your full name"],
  ["/forgot-password", "Send reset link", "Please enter a valid email address"],
  ["/resend-confirmation", "Send the link again", "You must provide either an email"],
] as const) {
  test(`the form at ${path} shows our error messages, not the browser's`, async ({ page }) => {
    await page.goto(path);
    const form = page.getByRole("main");
    await form.getByRole("button", { name: button }).click();
    await expect(form.getByText(message).first()).toBeVisible();
    await form.getByLabel("Email").fill("nobody");
    await form.getByRole("button", { name: button }).click();
    const addressMessage =
      path === "/login" ? "You must provide either" : "Please enter a valid email address";
    await expect(form.getByText(addressMessage).first()).toBeVisible();
    await expect(form.locator('[aria-invalid="true"]').first()).toBeFocused();
  });
}

test("a forgotten password is replaced with a link that works once", async ({ page, product }) => {
  // A separate person, because other tests of this worker use the demo passwords.
  const forgetful = await person(product.db, "Lata Bose");
  await givePassword(product.db, forgetful, await hashPassword("Forgotten!1"));
  const { email } = forgetful;
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  // The previous screen has an Email field too.
  await expect(page).toHaveURL(/\/forgot-password$/);
  await expect(page.getByRole("heading", { name: "Forgot password?" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send reset link" }).click();
  await expect(page.getByRole("heading", { name: "Email sent!" })).toBeVisible();
  const link = (await linkMailedTo(product.db, email)).href;

  await page.goto(link);
  await page.getByLabel("New Password").fill("weak");
  await page.getByLabel("Confirm Password").fill("weak");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(
    page.getByText("Password must be at least 8 characters", { exact: true }),
  ).toBeVisible();
  await page.getByLabel("New Password").fill("Brand!new1");
  await page.getByLabel("Confirm Password").fill("Brand!new1");
  await expect(page.getByText("Very Strong")).toBeVisible();
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(page.getByRole("heading", { name: "Password reset successfully!" })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, email, "Brand!new1");
  await expect(page.getByText("Successfully signed in!")).toBeVisible();

  await page.goto(link);
  await expect(
    page.getByText("Invalid or expired password reset link. Please request a new one."),
  ).toBeVisible();
});

// Covered by "a forgotten password is replaced".
test("a reset link that was used in another tab offers a new one @slow", async ({
  page,
  product,
}) => {
  const forgetful = await person(product.db, "Tanvi Bose");
  await givePassword(product.db, forgetful, await hashPassword("Forgotten!1"));
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(forgetful.email);
  await page.getByRole("button", { name: "Send reset link" }).click();
  await expect(page.getByRole("heading", { name: "Email sent!" })).toBeVisible();
  const link = (await linkMailedTo(product.db, forgetful.email)).href;
  const other = whenLive(await page.context().newPage());
  for (const tab of [page, other]) await tab.goto(link);
  for (const tab of [page, other]) {
    await tab.getByLabel("New Password").fill("Brand!new1");
    await tab.getByLabel("Confirm Password").fill("Brand!new1");
    await tab.getByRole("button", { name: "Reset Password" }).click();
    if (tab === page)
      await expect(
        tab.getByRole("heading", { name: "Password reset successfully!" }),
      ).toBeVisible();
  }
  await expect(
    other.getByText("Invalid or expired password reset link. Please request a new one.").first(),
  ).toBeVisible();
  await other.getByRole("link", { name: "Request a new link" }).click();
  await expect(other.getByRole("heading", { name: "Forgot password?" })).toBeVisible();
});

test("older links with the token in the fragment or on the root page still work", async ({
  page,
  product,
}) => {
  const email = "asha@example.com";
  const newLink = async () => {
    await page.goto("/forgot-password");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await expect(page.getByRole("heading", { name: "Email sent!" })).toBeVisible();
    return (await linkMailedTo(product.db, email)).searchParams.get("token_hash")!;
  };
  const form = page.getByLabel("New Password");

  await page.goto(`/reset-password#access_token=${await newLink()}&refresh_token=&type=recovery`);
  await expect(form).toBeVisible();

  await page.goto(`/?token_hash=${await newLink()}&type=recovery`);
  await expect(page).toHaveURL(/\/reset-password$/);
  await expect(form).toBeVisible();

  await page.goto(`/#access_token=${await newLink()}&type=recovery`);
  await expect(page).toHaveURL(/\/reset-password$/);
  await page.reload();
  await expect(form).toBeVisible();

  // The saved token is tried after a refused one in the query.
  await page.goto("/reset-password?token_hash=refused&type=recovery");
  await expect(form).toBeVisible();
  await page.goto("/jobs");
  await page.goto("/reset-password");
  await expect(form).toBeVisible();

  // A link that differs only in its fragment, opened in the same tab.
  await page.goto("/reset-password#access_token=refused&type=recovery");
  await expect(
    page.getByText("Invalid or expired password reset link. Please request a new one."),
  ).toBeVisible();
  await page.goto(`/reset-password#access_token=${await newLink()}&type=recovery`);
  await expect(form).toBeVisible();
});

test("link screens explain that the token is missing", async ({ page }) => {
  await page.goto("/reset-password");
  await expect(
    page.getByText("No reset token found. Please request a new password reset link."),
  ).toBeVisible();
  await page.goto("/email-confirmation");
  await expect(
    page.getByText("No confirmation token found. Please request a new confirmation link."),
  ).toBeVisible();
});
