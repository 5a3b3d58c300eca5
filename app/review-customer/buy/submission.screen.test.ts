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
import { formatAddressConflict } from "./submission.ts";
import { action } from "./submission.screen.tsx";

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
  const body = new URLSearchParams({ intent, ...fields });
  const request = new Request(url, { method: "POST", body });
  return action({ request, url, params: {}, context: asked.context });
}
const said = () =>
  asked.toasts.splice(0).map(({ title, description }) => `${title}: ${description}`);

test("a link is saved and leads to the payment; without file and link nothing does", async () => {
  const saved = await send("save-portfolio", { portfolioUrl: " https://asha.example.com " });
  expect((saved as Response).headers.get("location")).toBe(
    "/services/combined-review?step=payment",
  );
  expect((await getDraft(db, asha, "combined_review")).portfolioUrl).toBe(
    "https://asha.example.com",
  );
  expect(said()).toEqual([]);
  const emptied = await send("save-portfolio", { portfolioUrl: "" });
  expect(emptied).toMatchObject({ data: { values: {} }, init: { status: 422 } });
  expect(said()).toEqual(["Missing information: Please provide either a file or a URL"]);
});

test("a link that another tab has changed is seen before the form is sent once more", async () => {
  const current = "https://other.example.com";
  await changeDraft(db, asha.id, "combined_review", { portfolioUrl: current });
  const portfolioUrl = "https://asha.example.com";
  const refused = await send("save-portfolio", { portfolioUrl, seen: "" });
  expect(refused).toMatchObject({
    data: { errors: { portfolioUrl: formatAddressConflict(current) }, values: { portfolioUrl } },
  });
  // The field goes on from the link that is there now.
  expect(refused).not.toHaveProperty("data.values.seen");
  expect(said()).toEqual(["Submission failed: undefined"]);
  expect(await send("save-portfolio", { portfolioUrl, seen: current })).toBeInstanceOf(Response);
});

test("who pays without writing anything leaves the questions that another tab has kept", async () => {
  const resume = await storedFile(db, asha, "resumes");
  const changes = { resumeFileId: resume.id, portfolioUrl: "https://asha.example.com" };
  await changeDraft(db, asha.id, "combined_review", changes);
  const { kept: keptBrief } = await getOfferedBrief(db, asha, "combined_review", null);
  await send("save-brief", { question1: "Is one page enough?" });
  const questions = async () =>
    (await getOwnBriefs(db, asha, "combined_review")).draft?.questions ?? [];
  await send("pay", { keptBrief });
  expect(await questions()).toEqual(["Is one page enough?"]);
  await send("pay", { keptBrief, question1: "Or two?" });
  expect(await questions()).toEqual(["Or two?"]);
  await send("pay");
  expect(await questions()).toEqual([]);
});

test("what is no link, and no phone number, is said at its field and in a toast", async () => {
  const refused = await send("save-portfolio", { portfolioUrl: "asha", seen: "" });
  expect(refused).toMatchObject({ data: { values: { portfolioUrl: "asha", seen: "" } } });
  await send("pay", { phone: "12" });
  expect(said()).toEqual([
    "Invalid URL: Please enter a valid URL starting with http:// or https://",
    "Payment Error: Please enter a phone number of ten digits, or leave this empty",
  ]);
});

test("a payment begins once all is there, and not after a part was removed", async () => {
  await send("pay");
  const resume = await storedFile(db, asha, "resumes");
  const portfolioUrl = "https://asha.example.com";
  await changeDraft(db, asha.id, "combined_review", { resumeFileId: resume.id, portfolioUrl });
  const begun = await send("pay", { phone: "98765 43210" });
  expect(begun).toMatchObject({ checkout: { fields: { phone: "9876543210" } } });
  const removed = await send("remove-resume");
  expect((removed as Response).headers.get("location")).toBe(
    "/services/combined-review?step=resume",
  );
  await send("pay");
  const missing = "Missing information: Please upload your resume as a PDF or Word document";
  expect(said()).toEqual([missing, missing]);
});

test("a form that is none of these changes nothing", async () => {
  expect(await send("sell")).toMatchObject({ init: { status: 422 } });
  expect(said()).toEqual([]);
});
