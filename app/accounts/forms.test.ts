import { expect, test } from "vitest";
import { resendForm, signInForm, signUpForm } from "./forms.server.ts";
import { credentialsMissing } from "./rules.ts";

test.each([
  ["sign-in", signInForm],
  ["sign-up", signUpForm],
  ["resend", resendForm],
])("a %s form without an address says what has to be given", (_name, form) => {
  const typed = { fullName: "Asha", email: " ", password: "long enough", confirmPassword: "" };
  const [problem] = form.safeParse(typed).error?.issues ?? [];
  expect(problem).toMatchObject({ path: ["email"], message: credentialsMissing });
});
