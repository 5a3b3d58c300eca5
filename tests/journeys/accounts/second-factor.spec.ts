import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import { users } from "../../../app/accounts/tables.server.ts";
import { testConfig } from "../../support/product/config.ts";
import { hasApp } from "../../support/rows/factors.ts";
import { signIn } from "../support/steps.ts";
import { ownPeople } from "../support/staff.ts";
import { expect, test, whenLive } from "../support/test.ts";

const password = "demo-Password1";

test("a person sets up an authenticator app, signs in with it and a recovery code, and turns it off", async ({
  browserOf,
}) => {
  const email = "ravi@example.com";
  const page = await browserOf(email, "/profile");
  await page.getByRole("link", { name: "Second factor" }).click();
  await page.getByRole("button", { name: "Set up an app" }).click();
  await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
  const key = (await page.locator(".own-things_factor-key").innerText()).replaceAll(" ", "");
  const codes = new TOTP({ secret: Secret.fromBase32(key) });
  // A used code also blocks earlier ones, so each sign-in uses a later code. The code before the current one would be
  // refused if the next step of 30 seconds begins.
  const code = (later: number) => codes.generate({ timestamp: Date.now() + later * 30_000 });

  await page.getByLabel("Code").fill(findWrongCode(code));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This code is wrong")).toBeVisible();
  await page.getByLabel("Code").fill(code(0));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  const recoveryCodes = await page.locator(".own-things_factor-codes code").allInnerTexts();
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole("link", { name: "continue" }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await signOut(page);
  await signIn(page, email, password);
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.goto("/profile");
  await expect(page).toHaveURL(/\/login\?next=%2Fprofile$/);
  await signIn(page, email, password);
  await page.getByLabel("Code").fill(code(1));
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await signOut(page);
  await signIn(page, email, password);
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCodes[0]!.toLowerCase());
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page).not.toHaveURL(/login/);

  await page.goto("/profile/second-factor");
  await expect(page.getByText("9 recovery codes left.")).toBeVisible();
  await page.getByRole("link", { name: "Turn off" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("button", { name: "Set up an app" })).toBeVisible();
  await signOut(page);
  await signIn(page, email, password);
  await expect(page).not.toHaveURL(/login/);
});

// Covered by "a person sets up an authenticator app".
test("a person who never received their recovery codes creates new ones @slow", async ({
  browserOf,
  product,
}) => {
  const { customer } = await ownPeople(product);
  const page = await browserOf(customer.email, "/profile/second-factor");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const key = (await page.locator(".own-things_factor-key").innerText()).replaceAll(" ", "");
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  await page.getByLabel("Code").fill(code);
  await page.route(/second-factor\.data/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  const turnOn = page.getByRole("button", { name: "Turn on" });
  await turnOn.click();
  await expect(page.getByText("We can't reach the server").first()).toBeVisible();
  await page.unrouteAll();

  // The second press shows that the app is on.
  await turnOn.click();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("If you haven't saved them, create new ones.")).toBeVisible();
  await page.getByRole("button", { name: "New recovery codes" }).click();
  await expect(page.locator(".own-things_factor-codes code")).toHaveCount(10);
});

test("a person adds, renames and removes a passkey, and signs in with it", async ({
  browserOf,
}) => {
  const page = await browserOf("sonia@example.com");
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/profile");
  await page.getByRole("link", { name: "Passkeys" }).click();
  await page.getByLabel("Name of the new passkey").fill("My laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("My laptop", { exact: true }).first()).toBeVisible();
  await page.getByText("Rename").click();
  await page.getByLabel("Name", { exact: true }).fill("The old laptop");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".own-things_name")).toHaveText("The old laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("already has a passkey for your account")).toBeVisible();

  // A device that hasn't verified its person is refused.
  await device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("No passkey was used.")).toBeVisible();
  await device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).not.toHaveURL(/login/);

  // The browser offers passkeys in the email field, and this device accepts every offer.
  const sent = page.waitForRequest(/\/login\/passkey/);
  await page.getByRole("button", { name: "Sign out" }).click();
  await sent;
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expect(page).not.toHaveURL(/login/);

  await page.goto("/profile/passkeys");
  await expect(page.getByText("Last used")).toBeVisible();
  await page.getByRole("link", { name: "Remove The old laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No passkeys yet.")).toBeVisible();
});

// Covered by "a person sets up an authenticator app".
test("an open tab notices an app that another tab sets up @slow", async ({ browserOf }) => {
  const page = await browserOf("tara.dsouza8@example.com", "/profile/second-factor");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const key = page.locator(".own-things_factor-key");
  const first = await key.innerText();
  const other = whenLive(await page.context().newPage());
  await other.goto("/profile/second-factor");
  await other.getByRole("button", { name: "Start over with a new key" }).click();
  await expect(other.locator(".own-things_factor-key")).not.toHaveText(first);
  const second = await other.locator(".own-things_factor-key").innerText();

  const codeOf = (keyText: string) =>
    new TOTP({ secret: Secret.fromBase32(keyText.replaceAll(" ", "")) }).generate();
  await page.getByLabel("Code").fill(codeOf(first));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("This code is wrong")).toBeVisible();
  await expect(key).toHaveText(second);

  await other.getByLabel("Code").fill(codeOf(second));
  await other.getByRole("button", { name: "Turn on" }).click();
  await expect(other.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await page.getByRole("button", { name: "Start over with a new key" }).click();
  await expect(page.getByText("You already have an authenticator app.").first()).toBeVisible();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
});

test("a person sees their sessions and signs out everywhere else", async ({ browserOf }) => {
  const email = "asha@example.com";
  const [here, there] = [await browserOf(email), await browserOf(email)];
  await there.goto("/profile");
  await here.goto("/profile/sessions");
  await expect(here.getByText("This device")).toHaveCount(1);
  await here.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(here.locator(".own-things > li")).toHaveCount(1);
  await browserOf(email);
  await here.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(here.locator(".own-things > li")).toHaveCount(2);
  await there.goto("/profile");
  await expect(there).toHaveURL(/\/login\?next=/);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the second step works", async ({ page, product }) => {
    const email = "asha@example.com";
    const { db } = product;
    const [asha] = await db.select().from(users).where(eq(users.email, email));
    const app = await hasApp({ db, config: testConfig() }, asha!);
    await page.goto("/login?next=%2Fprofile");
    await signIn(page, email, password);
    await page.getByLabel("Code").fill(findWrongCode(app.code));
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByText("This code is wrong")).toBeVisible();
    await page.getByLabel("Code").fill(app.code());
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page).toHaveURL(/\/profile$/);
    await page.goto("/profile/second-factor?turn-off");
    await page.getByRole("button", { name: "Turn off" }).click();
    await expect(page.getByRole("button", { name: "Set up an app" })).toBeVisible();
  });
});

/** Returns a code that the app doesn't give within five minutes. */
function findWrongCode(code: (later: number) => string): string {
  const right = new Set(Array.from({ length: 21 }, (_, index) => code(index - 10)));
  const candidates = Array.from({ length: right.size + 1 }, (_, index) => `${index}`);
  return candidates.map((digits) => digits.padStart(6, "0")).find((one) => !right.has(one))!;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/login$/);
}
