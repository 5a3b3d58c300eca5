import { expect, test } from "vitest";
import { isWebAddress } from "../../reviews/addresses.ts";
import { services } from "../../reviews/rules.ts";
import {
  type DraftFile,
  normalizePhone,
  findMissingPart,
  findServiceByPath,
  listSubmissionSteps,
  getStepToShow,
} from "./submission.ts";

const { resume_review, portfolio_review, combined_review } = services;
const emptyDraft = { resume: null, portfolio: null, portfolioUrl: null };
const file: DraftFile = { name: "a.pdf", size: 1, address: "/storage/resumes/a", copy: "none" };

test("each service has its own steps", () => {
  expect(listSubmissionSteps(resume_review)).toEqual(["resume", "payment"]);
  expect(listSubmissionSteps(portfolio_review)).toEqual(["portfolio", "payment"]);
  expect(listSubmissionSteps(combined_review)).toEqual(["resume", "portfolio", "payment"]);
});

test("a portfolio is a file, a URL, or both", () => {
  expect(findMissingPart(portfolio_review, emptyDraft)).toBe("portfolio");
  expect(findMissingPart(portfolio_review, { ...emptyDraft, portfolio: file })).toBeNull();
  expect(
    findMissingPart(portfolio_review, { ...emptyDraft, portfolioUrl: "https://a.in" }),
  ).toBeNull();
});

test("the first missing part is named in the order of the steps", () => {
  expect(findMissingPart(combined_review, emptyDraft)).toBe("resume");
  expect(findMissingPart(combined_review, { ...emptyDraft, resume: file })).toBe("portfolio");
});

test("a step shows only when everything before it is there", () => {
  expect(getStepToShow(combined_review, emptyDraft, "payment")).toBe("resume");
  expect(getStepToShow(combined_review, { ...emptyDraft, resume: file }, "payment")).toBe(
    "portfolio",
  );
  const complete = { resume: file, portfolio: file, portfolioUrl: null };
  expect(getStepToShow(combined_review, complete, "payment")).toBe("payment");
  expect(getStepToShow(combined_review, complete, "portfolio")).toBe("portfolio");
});

test.each([null, "", "portfolio", "Payment", "99"])(
  "the step %j, which the service lacks, opens the furthest step that the draft allows",
  (requested) => {
    expect(getStepToShow(resume_review, emptyDraft, requested)).toBe("resume");
    expect(getStepToShow(resume_review, { ...emptyDraft, resume: file }, requested)).toBe(
      "payment",
    );
  },
);

test("coming back to a half-finished draft opens the part that is missing", () => {
  expect(getStepToShow(combined_review, emptyDraft, null)).toBe("resume");
  expect(getStepToShow(combined_review, { ...emptyDraft, portfolio: file }, null)).toBe("resume");
  expect(getStepToShow(combined_review, { ...emptyDraft, resume: file }, null)).toBe("portfolio");
  const complete = { resume: file, portfolio: null, portfolioUrl: "https://asha.example.com" };
  expect(getStepToShow(combined_review, complete, null)).toBe("payment");
});

test("a service is found by its address", () => {
  expect(findServiceByPath("/services/combined-review")).toBe(combined_review);
  expect(findServiceByPath("/Services/Combined-Review/")).toBe(combined_review);
  expect(findServiceByPath("/services/other-review")).toBeUndefined();
});

test.each(["http://asha.design", "https://www.behance.net/asha?a=1#b", "HTTPS://asha.in"])(
  "%s is a web address",
  (text) => expect(isWebAddress(text)).toBe(true),
);

test.each([
  "asha.design",
  "ftp://asha.in",
  "javascript:alert(1)",
  "http:asha.in",
  "https://",
  "http:// a",
])("%s is not a web address", (text) => expect(isWebAddress(text)).toBe(false));

test.each([
  "9876543210",
  "+91 98765 43210",
  "0091 98765 43210",
  "0 98765-43210",
  "98765\u201143210",
  "(98765) 43210",
  "९८७६५४३२१०",
  "＋９１　９８７６５　４３２１０",
])("%s is a phone number", (text) => expect(normalizePhone(text)).toBe("9876543210"));

test.each(["", "98765", "98765432101234", "+1 9876543210", "phone"])(
  "%s is not a phone number",
  (text) => expect(normalizePhone(text)).toBeNull(),
);
