import * as fs from "node:fs/promises";
import { connect } from "node:net";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { revokeSession, readSessionToken } from "../accounts/session.server.ts";
import { now } from "../platform/clock.ts";
import { getFileAddress } from "./rules.ts";
import { storedFiles } from "./tables.server.ts";
import { serviceReviews } from "../reviews/tables.server.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { people } from "../../tests/support/rows/people.ts";
import { assignment, review } from "../../tests/support/rows/reviews.ts";
import { testServer } from "../../tests/support/product/server.ts";
import { tusClient } from "../../tests/support/requests/tus.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

const dataDir = ownFolder();

const database = await testDatabase();
const { db } = database;
const server = await testServer(database, { DATA_DIR: dataDir });
const { asha, ravi, meera, kabir, gita, devi } = await people(db);
const everybody = { asha, ravi, meera, kabir, gita, devi };
type Name = keyof typeof everybody;
const cookies = {} as Record<Name, string>;
for (const [name, person] of Object.entries(everybody))
  cookies[name as Name] = await server.cookieOf(person);

const pdf = await fs.readFile("tests/fixtures/files/resume.pdf");
const png = await fs.readFile("tests/fixtures/files/poster.png");

/** Uploads a file as this person and returns its address. */
async function uploaded(
  who: Name,
  purpose: string,
  target: string,
  name: string,
  bytes: Buffer,
): Promise<string> {
  const tus = tusClient(server.origin, cookies[who]);
  const answer = await tus.send(await tus.begin({ purpose, target, name }, bytes.length), 0, bytes);
  const { id } = (await answer.json()) as { id: string };
  const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
  return getFileAddress(file!.bucket, file!.path);
}

const resume = await uploaded("asha", "resume", "resume_review", "Asha Verma.pdf", pdf);
const work = await review(db, asha, {
  status: "under_review",
  resumeFilePath: resume.slice("/storage/resumes/".length),
});
await assignment(db, work.id, meera);
const image = await uploaded("meera", "review-image", work.id, "पोस्टर one.png", png);
const notes = await uploaded(
  "meera",
  "review-file",
  work.id,
  "notes.html",
  Buffer.from("<script>alert(1)</script>"),
);

type Asked = { method?: string; headers?: Record<string, string> };

function get(address: string, who: Name | null, { method = "GET", headers }: Asked = {}) {
  const cookie = who && { Cookie: cookies[who] };
  const origin = { Origin: server.origin };
  return fetch(server.origin + address, {
    method,
    headers: { ...cookie, ...origin, ...headers },
    redirect: "manual",
  });
}

/** Lists the people, including visitors, who can open the file. */
async function readers(address: string): Promise<string[]> {
  const found: string[] = [];
  for (const who of [...Object.keys(everybody), null] as (Name | null)[]) {
    const { status } = await get(address, who, { method: "HEAD" });
    expect([200, 404]).toContain(status);
    if (status === 200) found.push(who ?? "a visitor");
  }
  return found;
}

test("only its owner, the review's reviewer and god admins can open a resume", async () => {
  expect(await readers(resume)).toEqual(["asha", "meera", "gita"]);
});

test("the owner sees a reviewer's files once the review is completed", async () => {
  expect(await readers(image)).toEqual(["meera", "gita"]);
  expect(await readers(notes)).toEqual(["meera", "gita"]);
  await db
    .update(serviceReviews)
    .set({ status: "completed" })
    .where(eq(serviceReviews.id, work.id));
  expect(await readers(image)).toEqual(["asha", "meera", "gita"]);
  expect(await readers(notes)).toEqual(["asha", "meera", "gita"]);
});

test("a file is served unchanged, private and unable to run scripts", async () => {
  const answer = await get(image, "meera");
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  expect(answer.headers.get("Content-Type")).toBe("image/png");
  expect(answer.headers.get("Cache-Control")).toMatch(/^private/);
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(answer.headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
  const page = await get(notes, "meera");
  expect(page.headers.get("Content-Type")).toBe("application/octet-stream");
  expect(page.headers.get("Content-Disposition")).toMatch(/^attachment; filename="notes.html"/);
  expect(page.headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none';/);
});

test("ranges and HEAD requests of a file work", async () => {
  const part = await get(resume, "asha", { headers: { Range: "bytes=10-19" } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(pdf.subarray(10, 20))).toBe(true);
  const head = await get(resume, "asha", { method: "HEAD" });
  expect(head.headers.get("Content-Length")).toBe(String(pdf.length));
  expect(await head.text()).toBe("");
});

test.each(["POST", "PUT", "PATCH", "DELETE"])("%s is not allowed for files", async (method) => {
  const answer = await get(resume, "asha", { method });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("Allow")).toBe("GET, HEAD");
});

test("an ended session can't open files", async () => {
  const cookie = await server.cookieOf(asha);
  const ask = () => fetch(server.origin + resume, { headers: { Cookie: cookie } });
  expect((await ask()).status).toBe(200);
  await revokeSession(db, readSessionToken(server.config, cookie)!);
  expect((await ask()).status).toBe(404);
});

/** Requests exactly this address, which fetch would normalize. */
function rawStatus(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => {
      const lines = [
        `GET ${address} HTTP/1.1`,
        `Host: 127.0.0.1:${server.port}`,
        `Cookie: ${cookies.gita}`,
        "Connection: close",
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk));
    socket.on("error", reject).on("close", () => resolve(Number(answer.split(" ")[1])));
  });
}

const [, , , folder = "", name = ""] = resume.split("/");

test("addresses are matched exactly", async () => {
  expect(await rawStatus(resume)).toBe(200);
  expect(await rawStatus(encodeURI(image))).toBe(200);
});

test.each([
  `/storage/resumes/${folder}/../${folder}/missing.pdf`,
  "/storage/resumes/../../secret",
  "/storage/resumes/%2e%2e/%2e%2e/etc/passwd",
  "/storage/resumes/..%2f..%2fetc%2fpasswd",
  `/storage/resumes/${folder}%2F${name}`,
  `/storage/resumes/${folder}%5C${name}`,
  `/storage/resumes/${folder}/${name}%00`,
  `/storage/resumes/${folder}/%E0%A4%A`,
  `/storage/resumes//${folder}/${name}`,
  `/storage/resumes/${folder}/${name}/`,
  `/storage/resumes/${folder}`,
  "/storage/resumes/",
  "/storage/resumes",
  "/storage/",
  `/storage/secrets/${folder}/${name}`,
  `/storage/portfolios/${folder}/${name}`,
  "/storage/.unfinished/x",
  "/storage//etc/passwd",
])("%s is not found", async (address) => {
  expect(await rawStatus(address)).toBe(404);
});

test("a row whose file is missing is not found", async () => {
  const path = `${asha.id}/1.pdf`;
  const facts = { bucket: "resumes", path, uploadedBy: asha.id, originalName: "a.pdf" } as const;
  await db
    .insert(storedFiles)
    .values({ ...facts, mimeType: "application/pdf", size: 1, createdAt: now() });
  expect((await get(getFileAddress("resumes", path), "asha")).status).toBe(404);
  const framed = await get(getFileAddress("resumes", path), "asha", {
    headers: { "Sec-Fetch-Dest": "iframe" },
  });
  expect(framed.status).toBe(404);
  expect(framed.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'self'");
  expect(await framed.text()).toBe("File not found");
});
