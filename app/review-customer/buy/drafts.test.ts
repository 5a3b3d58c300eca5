import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/product/database.ts";
import { person } from "../../../tests/support/rows/people.ts";
import { completedReview } from "../../../tests/support/rows/review-states.ts";
import { storedFile } from "../../../tests/support/rows/reviews.ts";
import { brief, emptyBrief } from "../../../tests/support/rows/things.ts";
import { Invalid, NotFound } from "../../platform/errors.ts";
import {
  draftUploads,
  recordPortfolioCheck,
  getDraft,
  removeDraftFile,
  savePortfolioUrl,
} from "./drafts.server.ts";
import { findSharingAdvice } from "./material-steps.tsx";
import { addBrief, getOwnBriefs, saveBrief } from "../../reviews/brief/brief.server.ts";
import { reviewDrafts } from "../../reviews/tables.server.ts";
import { services } from "../../reviews/rules.ts";

const { db } = await testDatabase();

test("an uploaded resume is in the draft of its service, and in no other", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, "resume", "combined_review");
  expect(await getDraft(db, asha, services.combined_review)).toEqual({
    resume: {
      name: "my resumes.pdf",
      size: 1234,
      address: expect.stringMatching(/^\/storage\/resumes\//),
      copy: "none",
    },
    portfolio: null,
    portfolioUrl: null,
    isPortfolioSeen: false,
    version: expect.any(String),
  });
  expect((await getDraft(db, asha, services.resume_review)).resume).toBeNull();
});

test("a person never sees another person's draft", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  await upload(asha, "resume", "resume_review");
  expect((await getDraft(db, ravi, services.resume_review)).resume).toBeNull();
});

test("another upload replaces the file", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, "resume", "resume_review");
  const second = await upload(asha, "resume", "resume_review");
  const { resume } = await getDraft(db, asha, services.resume_review);
  expect(resume?.address).toBe(`/storage/resumes/${second.path}`);
});

test("every change counts a revision, and a form that changes nothing does not", async () => {
  const asha = await person(db, "Asha Verma");
  await upload(asha, "resume", "combined_review");
  expect(await revision(asha)).toBe(1);
  await upload(asha, "portfolio", "combined_review");
  expect(await revision(asha)).toBe(2);
  await savePortfolioUrl(db, asha, services.combined_review, "https://asha.design");
  expect(await revision(asha)).toBe(3);
  await savePortfolioUrl(db, asha, services.combined_review, "https://asha.design");
  expect(await revision(asha)).toBe(3);
  await removeDraftFile(db, asha, services.combined_review, "resume");
  await removeDraftFile(db, asha, services.combined_review, "resume");
  expect(await revision(asha)).toBe(4);
  await savePortfolioUrl(db, asha, services.combined_review, null);
  expect(await revision(asha)).toBe(5);
  const { resume, portfolio, portfolioUrl } = await getDraft(db, asha, services.combined_review);
  expect([resume, portfolio?.name, portfolioUrl]).toEqual([null, "my portfolios.pdf", null]);
});

test("an address that another tab saved is not overwritten unseen", async () => {
  const asha = await person(db, "Asha Verma");
  const save = (url: string | null, seen: string | null) =>
    savePortfolioUrl(db, asha, services.combined_review, url, seen);
  await save("https://first.example.com", null);
  await expect(save("https://second.example.com", null)).rejects.toThrow(Invalid);
  await expect(save(null, null)).rejects.toThrow(Invalid);
  await save("https://first.example.com", null);
  await save("https://second.example.com", "https://first.example.com");
  const { portfolioUrl } = await getDraft(db, asha, services.combined_review);
  expect(portfolioUrl).toBe("https://second.example.com");
  await save(null, "https://second.example.com");
  await expect(save("https://third.example.com", "https://second.example.com")).rejects.toThrow(
    Invalid,
  );
});

test("a service accepts only the parts that it needs", async () => {
  const asha = await person(db, "Asha Verma");
  for (const [part, target] of [
    ["resume", "portfolio_review"],
    ["portfolio", "resume_review"],
    ["resume", "another_review"],
  ] as const) {
    await expect(draftUploads[part].admit(db, asha.id, declared(part, target))).rejects.toThrow(
      NotFound,
    );
  }
  await expect(savePortfolioUrl(db, asha, services.resume_review, "https://a.in")).rejects.toThrow(
    NotFound,
  );
});

test("a draft of a second look is apart from other drafts, and starts with the earlier brief", async () => {
  const asha = await person(db, "Asha Verma");
  const meera = await person(db, "Meera Rao", { roles: ["reviewer"] });
  const earlier = await completedReview(db, asha, meera);
  await addBrief(db, earlier, brief);
  await upload(asha, "resume", earlier);
  const key = { type: "resume_review", secondLookOf: earlier } as const;
  expect((await getDraft(db, asha, key)).resume?.name).toBe("my resumes.pdf");
  expect((await getDraft(db, asha, services.resume_review)).resume).toBeNull();
  expect((await getOwnBriefs(db, asha, key)).draft).toEqual(brief);

  // A brief that was emptied stays empty when another file is uploaded.
  await saveBrief(db, asha, earlier, emptyBrief);
  await upload(asha, "resume", earlier);
  expect((await getOwnBriefs(db, asha, key)).draft).toBeNull();

  await removeDraftFile(db, asha, key, "resume");
  expect((await getDraft(db, asha, key)).resume).toBeNull();
});

test("nobody adds a file or a brief to a second look at another person's review", async () => {
  const asha = await person(db, "Asha Verma");
  const ravi = await person(db, "Ravi Nair");
  const meera = await person(db, "Meera Rao", { roles: ["reviewer"] });
  const earlier = await completedReview(db, asha, meera);
  const sent = declared("resume", earlier);
  await expect(draftUploads.resume.admit(db, ravi.id, sent)).rejects.toThrow(NotFound);
  const file = await storedFile(db, ravi, "resumes");
  await expect(draftUploads.resume.attach(db, ravi.id, sent, file)).rejects.toThrow(NotFound);
  const sentBrief = { ...emptyBrief, targetRole: "Lead" };
  await expect(saveBrief(db, ravi, earlier, sentBrief)).rejects.toThrow(NotFound);
  // A resume review takes no portfolio, and neither does its second look.
  const portfolio = declared("portfolio", earlier);
  await expect(draftUploads.portfolio.admit(db, asha.id, portfolio)).rejects.toThrow(NotFound);
});

test("two uploads at the same moment make one draft", async () => {
  const asha = await person(db, "Asha Verma");
  await Promise.all([
    upload(asha, "resume", "combined_review"),
    upload(asha, "portfolio", "combined_review"),
  ]);
  const draft = await getDraft(db, asha, services.combined_review);
  expect([draft.resume?.name, draft.portfolio?.name]).toEqual([
    "my resumes.pdf",
    "my portfolios.pdf",
  ]);
});

async function upload(asha: { id: string }, part: "resume" | "portfolio", target: string) {
  const file = await storedFile(db, asha, `${part}s`);
  await draftUploads[part].admit(db, asha.id, declared(part, target));
  await draftUploads[part].attach(db, asha.id, declared(part, target), file);
  return file;
}

function declared(purpose: "resume" | "portfolio", target: string) {
  return { purpose, target, name: "my file.pdf", note: null };
}

async function revision({ id }: { id: string }): Promise<number | undefined> {
  const [draft] = await db
    .select()
    .from(reviewDrafts)
    .where(and(eq(reviewDrafts.userId, id), eq(reviewDrafts.serviceType, "combined_review")));
  return draft?.revision;
}

test("an address stays confirmed until it changes, and confirming it counts no revision", async () => {
  const asha = await person(db, "Asha Verma");
  const type = "combined_review";
  const isSeen = async () => (await getDraft(db, asha, services[type])).isPortfolioSeen;
  const address = "https://asha.design";
  await savePortfolioUrl(db, asha, services[type], address);
  expect(await isSeen()).toBe(false);
  await recordPortfolioCheck(db, asha, services[type], { address, opens: true });
  await savePortfolioUrl(db, asha, services[type], address);
  expect(await isSeen()).toBe(true);
  expect(await revision(asha)).toBe(1);
  await recordPortfolioCheck(db, asha, services[type], { address, opens: false });
  expect(await isSeen()).toBe(false);
  await recordPortfolioCheck(db, asha, services[type], { address, opens: true });
  await savePortfolioUrl(db, asha, services[type], "https://asha.design/work");
  expect(await isSeen()).toBe(false);
  const late = recordPortfolioCheck(db, asha, services[type], { address, opens: true });
  await expect(late).rejects.toThrow(Invalid);
  expect(await isSeen()).toBe(false);
});

test("sharing advice is given for known hosts, and for no others", () => {
  expect(findSharingAdvice("https://www.behance.net/gallery/1/Work")).toContain("Behance");
  expect(findSharingAdvice("https://FIGMA.com/file/x")).toContain("Figma");
  expect(findSharingAdvice("https://asha.notion.site/Work")).toContain("Notion");
  expect(findSharingAdvice("https://drive.google.com/drive/folders/x")).toContain("Google");
  expect(findSharingAdvice("https://notfigma.com/")).toBeNull();
  expect(findSharingAdvice("https://figma.com.example.com/")).toBeNull();
  expect(findSharingAdvice("https://example.com/?of=behance.net")).toBeNull();
});
