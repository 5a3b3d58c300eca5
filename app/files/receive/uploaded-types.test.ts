import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { getFileAddress } from "../rules.ts";
import { storedFiles } from "../tables.server.ts";
import { findWorkspace } from "../../review-staff/workspace/find.server.ts";
import { makePdf } from "../../../tests/support/documents/pdf.ts";
import { assignment, review } from "../../../tests/support/rows/reviews.ts";
import { toastsOf, visitor } from "../../../tests/support/requests/visitor.ts";
import { tusClient } from "../../../tests/support/requests/tus.ts";
import { pdf, png, uploadServer } from "../../../tests/support/requests/uploads.ts";

const { db, server, who, cookies, filesOf } = await uploadServer();
const { asha, ravi, meera } = who;
const fixture = (name: string) => readFile(`tests/fixtures/files/${name}`);
const docx = await fixture("resume.docx");
const scripted = makePdf({ catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" });

const work = await review(db, asha, { status: "under_review" });
await assignment(db, work.id, meera);
const targets = {
  resume: "resume_review",
  portfolio: "portfolio_review",
  "review-image": work.id,
  "review-file": work.id,
};
type Purpose = keyof typeof targets;

/** Uploads a file and returns its row and the response to its uploader. */
async function uploaded(purpose: Purpose, name: string, bytes: Buffer) {
  const cookie = purpose.startsWith("review") ? cookies.meera : cookies.asha;
  const tus = tusClient(server.origin, cookie);
  const declared = { purpose, target: targets[purpose], name };
  const answer = await tus.send(await tus.begin(declared, bytes.length), 0, bytes);
  const { id } = (await answer.json()) as { id: string };
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
  const address = server.origin + getFileAddress(file!.bucket, file!.path);
  const { headers } = await fetch(address, { method: "HEAD", headers: { Cookie: cookie } });
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  return { file: file!, headers };
}

async function sendForm(name: string, bytes: Buffer) {
  const { sendFile } = visitor(server.origin, cookies.ravi);
  return toastsOf(await sendFile("resume", targets.resume, name, bytes))[0];
}

test.each(["cv.pdf.exe", "cv.PDF.HTML", "cv.png"])(
  "a resume named %s is refused with scripts and without",
  async (name) => {
    const refusal = {
      title: "Invalid file type",
      description: "Please upload a PDF or Word document",
    };
    const raviTus = tusClient(server.origin, cookies.ravi);
    const answer = await raviTus.declare({ purpose: "resume", target: targets.resume, name }, 100);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toEqual(refusal);
    expect(await sendForm(name, pdf)).toMatchObject(refusal);
    expect(await filesOf(ravi)).toEqual([]);
  },
);

test.each<[Purpose, string, Buffer, string]>([
  ["resume", "cv.pdf", docx, "cv.docx"],
  ["resume", "cv.docx", pdf, "cv.pdf"],
  ["resume", "Asha v1.2 final", pdf, "Asha v1.2 final.pdf"],
  ["portfolio", "Work.jpeg", await fixture("poster.jpg"), "Work.jpeg"],
  ["portfolio", "Work.png", await fixture("poster.jpg"), "Work.jpg"],
  ["review-image", "hero.gif", png, "hero.png"],
  ["review-file", "notes.pdf", docx, "notes.docx"],
  ["review-file", "notes.docx", await fixture("resume.doc"), "notes.doc"],
  ["review-file", "logo.ai", pdf, "logo.ai"],
  ["review-file", "notes.pdf", Buffer.from("plain words"), "notes.bin"],
  ["review-file", "notes.txt", Buffer.from("plain words"), "notes.txt"],
])("the download of a %s named %s has the right extension", async (purpose, name, bytes, named) => {
  const { file, headers } = await uploaded(purpose, name, bytes);
  expect(file.originalName).toBe(named);
  expect(file.path).toMatch(/\.(\w+)$/);
  expect(headers.get("Content-Disposition")).toContain(`filename="${named}"`);
});

test("a PDF is shown, but one with scripts or attachments is a download", async () => {
  const shown = await uploaded("resume", "cv.pdf", pdf);
  expect(shown.headers.get("Content-Disposition")).toMatch(/^inline/);
  expect(shown.headers.get("Content-Type")).toBe("application/pdf");
  for (const bytes of [
    scripted,
    await fixture("active/script-in-encrypted-object-stream.pdf"),
    await fixture("active/attachment.pdf"),
  ]) {
    for (const purpose of ["resume", "review-file"] as const) {
      const { file, headers } = await uploaded(purpose, "cv.pdf", bytes);
      expect(file).toMatchObject({ mimeType: "application/pdf", showable: false });
      expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="cv.pdf"/);
      expect(headers.get("Content-Type")).toBe("application/octet-stream");
    }
  }
});

test("a PDF from a reviewer that can't be inspected is a download", async () => {
  const { headers } = await uploaded("review-file", "cv.pdf", await fixture("password.pdf"));
  expect(headers.get("Content-Disposition")).toMatch(/^attachment/);
});

test("a reviewer gets a scripted resume as a download", async () => {
  const { file } = await uploaded("resume", "cv.pdf", scripted);
  const paid = await review(db, asha, { status: "pending", resumeFilePath: file.path });
  await assignment(db, paid.id, meera);
  const { file: harmless } = await uploaded("resume", "cv.pdf", pdf);
  const other = await review(db, asha, { status: "pending", resumeFilePath: harmless.path });
  await assignment(db, other.id, meera);
  const shownAs = async (id: string) =>
    (await findWorkspace(db, meera, id))?.materials.map((material) => material.shownAs);
  expect(await shownAs(paid.id)).toEqual(["download"]);
  expect(await shownAs(other.id)).toEqual(["pdf"]);
});

test.each<[string, Purpose, string, Buffer, string]>([
  ["a PDF and an archive", "resume", "cv.pdf", Buffer.concat([pdf, docx]), "application/pdf"],
  [
    "a PDF and a page",
    "resume",
    "cv.pdf",
    makePdf({ content: "% <html><script>alert(1)</script></html>" }),
    "application/pdf",
  ],
  [
    "a GIF and a script",
    "review-image",
    "a.gif",
    Buffer.concat([await fixture("poster.gif"), Buffer.from("/*;alert(1)//\x3b", "latin1")]),
    "image/gif",
  ],
  [
    "a PNG and a page",
    "review-image",
    "a.png",
    Buffer.concat([png, Buffer.from("<html><script>alert(1)</script>")]),
    "image/png",
  ],
])(
  "a file that is %s is served as the first type only",
  async (_what, purpose, name, bytes, type) => {
    const { headers } = await uploaded(purpose, name, bytes);
    expect(headers.get("Content-Type")).toBe(type);
    const sandbox = headers.get("Content-Security-Policy") ?? "";
    expect(sandbox).toContain(type === "application/pdf" ? "" : "sandbox");
  },
);

test("a picture is stored without its location", async () => {
  const picture = await fixture("poster.jpg");
  const exif = Buffer.from("Exif\0\0II*\0\x08\0\0\0 GPS 12.9716 N 77.5946 E", "latin1");
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2]);
  const bytes = Buffer.concat([head, exif, picture.subarray(2)]);
  for (const [purpose, name] of [
    ["portfolio", "work.jpg"],
    ["review-image", "work.jpg"],
    ["review-file", "work"],
  ] as const) {
    const { file } = await uploaded(purpose, name, bytes);
    const kept = await server.store.open(file.bucket, file.path);
    const left = Buffer.from(await new Response(kept!.stream).arrayBuffer());
    expect(left).toHaveLength(bytes.length);
    expect(left.includes("GPS")).toBe(false);
    expect(left.subarray(head.length + exif.length).equals(picture.subarray(2))).toBe(true);
  }
});
