import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyMethod, parseWebLink } from "./apply-methods.ts";
import type { JobContacts } from "../rules.ts";

test("only http and https are web links", () => {
  expect(parseWebLink(" https://example.com/apply ")).toBe("https://example.com/apply");
  expect(parseWebLink("HTTP://example.com")).toBe("HTTP://example.com");
  expect(parseWebLink("\u200bhttps://example.com/\u00adx\ufeff")).toBe("https://example.com/x");
  for (const other of [
    "javascript:alert(1)",
    "data:text/html,x",
    " JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "//example.com",
    "example.com",
    "http://",
    "httpx://example.com",
    "",
    null,
  ]) {
    expect(parseWebLink(other)).toBeNull();
  }
});

const none: JobContacts = {
  pocName: null,
  pocContact: null,
  portalApplicationLink: null,
  directApplicationLink: null,
};

test.each([
  ["https://example.com/hr@home", { kind: "page", url: "https://example.com/hr@home" }],
  ["asha@example.in", { kind: "mail", url: "mailto:asha@example.in" }],
  ["hire+design@jobs.example.in", { kind: "mail", url: "mailto:hire%2Bdesign@jobs.example.in" }],
  ["Write to asha@example.in", { kind: "mail", url: "mailto:asha@example.in" }],
])("the contact %s opens a page or an email", (pocContact, method) => {
  expect(applyMethod("poc", { ...none, pocContact })).toEqual(method);
});

test.each(["+91 00000 00000", "@studio", "a@b", "a@example.in?bcc=x@example.com, b"])(
  "the contact %s is shown in a toast",
  (pocContact) => {
    const toast = { kind: "info", title: "Contact POC Directly", description: pocContact };
    expect(applyMethod("poc", { ...none, pocContact })).toEqual({ kind: "toast", toast });
  },
);

test("a script is never opened", () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      for (const scheme of ["javascript:", "data:", "vbscript:", "file://"]) {
        const contacts = {
          ...none,
          pocContact: scheme + rest,
          portalApplicationLink: scheme + rest,
        };
        expect(applyMethod("portal", contacts).kind).toBe("toast");
        expect(applyMethod("poc", contacts).kind).not.toBe("page");
      }
    }),
  );
});

test("a job without a contact uses its direct application link", () => {
  const directApplicationLink = "https://example.com/direct";
  expect(applyMethod("poc", { ...none, directApplicationLink })).toEqual({
    kind: "page",
    url: directApplicationLink,
  });
  expect(applyMethod("poc", { ...none, pocContact: "  ", directApplicationLink }).kind).toBe(
    "page",
  );
  expect(applyMethod("poc", { ...none, pocContact: "\u200b", directApplicationLink }).kind).toBe(
    "page",
  );
  expect(
    applyMethod("poc", { ...none, pocContact: "a@example.in", directApplicationLink }).kind,
  ).toBe("mail");
});

test("a missing link, contact or session each has its own message", () => {
  const toastOf = (...args: Parameters<typeof applyMethod>) => {
    const method = applyMethod(...args);
    return method.kind === "toast" ? [method.toast.title, method.toast.description] : [];
  };
  expect(toastOf("portal", none)).toEqual([
    "Application Link Missing",
    "This job doesn't have a portal application link.",
  ]);
  expect(toastOf("poc", none)).toEqual([
    "Contact Information Missing",
    "This job doesn't have direct contact information.",
  ]);
  expect(toastOf("portal", null)).toEqual([
    "Authentication Required",
    "Please sign in or create an account to apply for jobs.",
  ]);
  expect(toastOf("poc", null)).toEqual([
    "Authentication Required",
    "Please sign in or create an account to access contact details.",
  ]);
});
