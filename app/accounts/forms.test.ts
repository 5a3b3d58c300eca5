import { describe, expect, test } from "vitest";
import { demoPassword } from "../../db/demo/people.ts";
import {
  addressForm,
  linkForm,
  resendForm,
  resetForm,
  signInForm,
  signUpForm,
} from "./forms.server.ts";
import { commonPassword, credentialsMissing } from "./rules.ts";

test.each([
  ["sign-in", signInForm],
  ["sign-up", signUpForm],
  ["resend", resendForm],
])("the %s form explains that an address is required", (_name, form) => {
  const typed = { fullName: "Asha", email: " ", password: "long enough", confirmPassword: "" };
  const [problem] = form.safeParse(typed).error?.issues ?? [];
  expect(problem).toMatchObject({ path: ["email"], message: credentialsMissing });
});

describe("a missing field gets the same message as an empty one", () => {
  const name = "Please enter your full name";
  const address = "Please enter a valid email address";
  test.each([
    ["sign-in", signInForm, { email: credentialsMissing }],
    [
      "sign-up",
      signUpForm,
      {
        fullName: name,
        email: credentialsMissing,
        password: "Please enter a password",
        confirmPassword: "Please repeat the password",
        terms: "You must accept the terms and conditions",
      },
    ],
    ["resend", resendForm, { email: credentialsMissing }],
    ["forgotten password", addressForm, { email: address }],
    ["reset", resetForm, { password: "Password must be at least 8 characters" }],
    ["link", linkForm, {}],
  ])("%s", (_name, form, expected) => {
    expect(problemsOf(form, {})).toEqual(expected);
    const long = { email: `${"x".repeat(300)}@example.com`, password: "x".repeat(300) };
    const problems = problemsOf(form, { ...long, token_hash: "x".repeat(300) });
    for (const message of Object.values(problems)) expect(message).not.toMatch(/expected|invalid/i);
  });
});

test("a sign-in without a password shows an error on the password field", () => {
  const email = "asha@example.com";
  expect(problemsOf(signInForm, { email })).toEqual({ password: credentialsMissing });
});

test.each(["asha@example.com", "asha"])("a sign-up as %s without a password says so", (email) => {
  const problems = problemsOf(signUpForm, { ...signUpWith(""), email });
  expect(problems).toMatchObject({ password: credentialsMissing });
});

test("a sign-up with an empty field still gets the first of the specification's messages", () => {
  const typed = { ...signUpWith("1234567"), fullName: "", confirmPassword: "" };
  expect(problemsOf(signUpForm, typed)).toEqual({
    fullName: "Please enter your full name",
    confirmPassword: "Passwords do not match",
  });
});

describe("common passwords", () => {
  const common = ["password", "PassWord", " password ", "12345678", "qwertyuiop", "iloveyou"];
  test.each([...common, "        ", "\u00a0".repeat(8), "\t".repeat(9)])(
    "%j is refused at sign-up",
    (password) => {
      expect(problemsOf(signUpForm, signUpWith(password))).toEqual({ password: commonPassword });
      expect(signInForm.safeParse({ email: "asha@example.com", password }).success).toBe(true);
    },
  );

  test("a reset refuses them too, after the five criteria", () => {
    const reset = (password: string) =>
      problemsOf(resetForm, { password, confirmPassword: password, token_hash: "a token" });
    expect(reset("Pa$$w0rd")).toEqual({ password: commonPassword });
    expect(reset("password")).toEqual({
      password: "Password must contain at least one uppercase letter",
    });
    expect(reset("Brand!new1")).toEqual({});
  });

  test("the specification's checks come first", () => {
    expect(problemsOf(signUpForm, { ...signUpWith("password"), confirmPassword: "x" })).toEqual({
      confirmPassword: "Passwords do not match",
    });
    expect(problemsOf(signUpForm, { ...signUpWith("password"), terms: "" })).toEqual({
      terms: "You must accept the terms and conditions",
    });
    expect(problemsOf(signUpForm, signUpWith("1234567"))).toEqual({
      password: "Password must be at least 8 characters long",
    });
  });

  test.each([demoPassword, "correct horse", "Correct-horse1", "a phrase of several words"])(
    "%j is accepted",
    (password) => expect(problemsOf(signUpForm, signUpWith(password))).toEqual({}),
  );
});

test("a common password has this error message", () => {
  expect(commonPassword).toBe("This password is too common. Please choose another.");
});

type Form = {
  safeParse(fields: object): { error?: { issues: { path: PropertyKey[]; message: string }[] } };
};

/** The first message of each field. */
function problemsOf(form: Form, fields: object): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { path, message } of form.safeParse(fields).error?.issues ?? [])
    problems[path.join(".")] ??= message;
  return problems;
}

function signUpWith(password: string) {
  const own = { fullName: "Asha Verma", email: "asha@example.com", terms: "accepted" };
  return { ...own, password, confirmPassword: password };
}
