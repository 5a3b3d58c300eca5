import { expect, test } from "vitest";
import { findWebsiteDomain, findWorkEmailProblem } from "./work-email.server.ts";

test.each([
  ["https://example.in", "example.in"],
  ["https://www.example.in/careers?from=x#top", "example.in"],
  ["https://Careers.Acme.CO.IN", "acme.co.in"],
  ["https://acme.github.io/jobs", "acme.github.io"],
  ["https://acme.wixsite.com", "acme.wixsite.com"],
  ["https://चौपाल.भारत", "xn--61b6aya1cxd.xn--h2brj9c"],
  ["http://example.in", null],
  ["https://co.in", null],
  ["https://github.io", null],
  ["https://127.0.0.1", null],
  ["https://localhost", null],
  ["https://user:secret@example.in", null],
  ["javascript:alert(1)", null],
  ["example.in", null],
  ["", null],
])("the website %s is at the domain %s", (website, domain) => {
  expect(findWebsiteDomain(website)).toBe(domain);
});

test.each([
  ["asha@example.in", "example.in"],
  ["asha@mail.example.in", "example.in"],
  ["ASHA@Example.IN", "example.in"],
  ["asha@acme.github.io", "acme.github.io"],
])("%s is a work email at %s", (email, domain) => {
  expect(findWorkEmailProblem(email, domain)).toBeNull();
});

test.each([
  ["asha@other.in", "example.in"],
  ["asha@example.in.evil.com", "example.in"],
  ["asha@notexample.in", "example.in"],
  ["asha@beta.github.io", "acme.github.io"],
  ["asha@github.io", "acme.github.io"],
  ["asha@[127.0.0.1]", "example.in"],
])("%s isn't a work email at %s", (email, domain) => {
  expect(findWorkEmailProblem(email, domain)).toContain(`Use an address at ${domain}`);
});

test.each(["gmail.com", "rediffmail.com", "zohomail.in", "proton.me", "yopmail.com"])(
  "nobody posts for the provider %s with an address there",
  (provider) => {
    expect(findWorkEmailProblem(`asha@${provider}`, provider)).toContain("mail provider");
  },
);
