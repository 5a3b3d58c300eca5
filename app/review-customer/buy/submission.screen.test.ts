import { beforeEach, expect, test } from "vitest";
import { askedBy } from "../../../tests/support/requests/asked.ts";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { testPayments } from "../../../tests/support/payments/payments.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import type { Actor } from "../../accounts/actor.server.ts";
import { payments } from "../../payments/payments.server.ts";
import { getOfferedBrief, getOwnBriefs } from "../../reviews/brief/brief.server.ts";
import { changeDraft, getDraft } from "./drafts.server.ts";
import { formatAddressConflict, formatPriceChange } from "./submission.ts";
import { action } from "./submission.screen.tsx";
import { briefMessages } from "../../reviews/brief.ts";
import { services } from "../../reviews/rules.ts";

const { db } = await testDatabase();
let asha: Actor;
let asked: ReturnType<typeof askedBy>;

beforeEach(async () => {
  asha = await person(db, "Asha Verma");
  asked = askedBy(db, asha);
  asked.context.set(payments, testPayments());
});

async function send(intent: string, fields: Record<string, string> = {}) {
  const url = new URL("http://localhost/services/combined-review");
  const body = new URLSearchParams({ intent, price: "29900", ...fields });
  const request = new Request(url, { method: "POST", body });
  return action({ request, url, params: {}, context: asked.context });
}
const takeToasts = () =>
  asked.toasts.splice(0).map(({ title, description }) => `${title}: ${description}`);

test("a link is saved and leads to the payment; without a file or link the step stays open", async () => {
  const saved = await send("save-portfolio", { portfolioUrl: " https://asha.example.com " });
  expect((saved as Response).headers.get("location")).toBe(
    "/services/combined-review?step=payment",
  );
  expect((await getDraft(db, asha, services.combined_review)).portfolioUrl).toBe(
    "https://asha.example.com",
  );
  expect(takeToasts()).toEqual([]);
  const emptied = await send("save-portfolio", { portfolioUrl: "" });
  expect(emptied).toMatchObject({ data: { values: {} }, init: { status: 422 } });
  expect(takeToasts()).toEqual(["Missing information: Please provide either a file or a URL"]);
});

test("a link that another tab changed is shown before the form can be sent again", async () => {
  const current = "https://other.example.com";
  await changeDraft(db, asha.id, services.combined_review, { portfolioUrl: current });
  const portfolioUrl = "https://asha.example.com";
  const refused = await send("save-portfolio", { portfolioUrl, seen: "" });
  expect(refused).toMatchObject({
    data: { errors: { portfolioUrl: formatAddressConflict(current) }, values: { portfolioUrl } },
  });
  // The next submit starts from the current link.
  expect(refused).not.toHaveProperty("data.values.seen");
  expect(takeToasts()).toEqual(["Submission failed: undefined"]);
  expect(await send("save-portfolio", { portfolioUrl, seen: current })).toBeInstanceOf(Response);
});

test("paying without typing anything keeps the questions that another tab saved", async () => {
  const resume = await storedFile(db, asha, "resumes");
  const changes = { resumeFileId: resume.id, portfolioUrl: "https://asha.example.com" };
  await changeDraft(db, asha.id, services.combined_review, changes);
  const { kept: keptBrief } = await getOfferedBrief(db, asha, services.combined_review, null);
  await send("save-brief", { question1: "Is one page enough?" });
  const questions = async () =>
    (await getOwnBriefs(db, asha, services.combined_review)).draft?.questions ?? [];
  await send("pay", { keptBrief });
  expect(await questions()).toEqual(["Is one page enough?"]);
  await send("pay", { keptBrief, question1: "Or two?" });
  expect(await questions()).toEqual(["Or two?"]);
  await send("pay");
  expect(await questions()).toEqual([]);
});

test("an invalid link or phone number is reported at its field and in a toast", async () => {
  const refused = await send("save-portfolio", { portfolioUrl: "asha", seen: "" });
  expect(refused).toMatchObject({ data: { values: { portfolioUrl: "asha", seen: "" } } });
  await send("pay", { phone: "12" });
  expect(takeToasts()).toEqual([
    "Invalid URL: Please enter a valid URL starting with http:// or https://",
    "Payment Error: Please enter a 10-digit phone number, or leave this empty",
  ]);
});

test("a payment starts once all parts are there, and not after one is removed", async () => {
  await send("pay");
  const resume = await storedFile(db, asha, "resumes");
  const portfolioUrl = "https://asha.example.com";
  await changeDraft(db, asha.id, services.combined_review, {
    resumeFileId: resume.id,
    portfolioUrl,
  });
  const started = await send("pay", { phone: "98765 43210" });
  expect(started).toMatchObject({ checkout: { fields: { phone: "9876543210" } } });
  const removed = await send("remove-resume");
  expect((removed as Response).headers.get("location")).toBe(
    "/services/combined-review?step=resume",
  );
  await send("pay");
  const missing = "Missing information: Please upload your resume as a PDF or Word document";
  expect(takeToasts()).toEqual([missing, missing]);
});

test("a price that changed since the page was shown is reported, with everything that was typed", async () => {
  const resume = await storedFile(db, asha, "resumes");
  const portfolioUrl = "https://asha.example.com";
  await changeDraft(db, asha.id, services.combined_review, {
    resumeFileId: resume.id,
    portfolioUrl,
  });
  const typed = { phone: "98765 43210", question1: "Is one page enough?" };
  const refused = await send("pay", { ...typed, price: "25000" });
  const message = formatPriceChange("₹299");
  expect(refused).toMatchObject({ data: { errors: { "": message }, values: typed } });
  expect(takeToasts()).toEqual([`Payment Error: ${message}`]);
  expect(await send("pay", typed)).toMatchObject({ checkout: { fields: { amount: "299.00" } } });
});

test("a form with an unknown intent changes nothing", async () => {
  expect(await send("sell")).toMatchObject({ init: { status: 422 } });
  expect(takeToasts()).toEqual([]);
});

test("an unknown field of the wish is refused, and nothing else that was typed is lost", async () => {
  const typed = { targetRole: "Lead", question1: "Too long?", wishedLanguage: "Tamil" };
  const refused = await send("save-brief", { ...typed, wishedField: "astrology" });
  expect(refused).toMatchObject({
    data: { errors: { wishedField: briefMessages.fieldUnknown }, values: typed },
    init: { status: 422 },
  });
  expect((await getOwnBriefs(db, asha, services.combined_review)).draft).toBeNull();
  await send("save-brief", { ...typed, wishedField: "motion" });
  expect((await getOwnBriefs(db, asha, services.combined_review)).draft).toMatchObject({
    role: "Lead",
    wish: { field: "motion", language: "Tamil" },
  });
});
