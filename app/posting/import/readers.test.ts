import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Invalid } from "../../platform/errors.ts";
import type { ImportProvider } from "../rules.ts";
import { toPlainText, decodeEscapedHtml } from "./html-text.server.ts";
import { decodeFile, maxFileSize, readSourceFile } from "./read-file.server.ts";

const readFixture = (name: string) =>
  decodeFile(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

const read = (text: string, provider: ImportProvider, company = "Example Studio") =>
  readSourceFile(text, { provider, company });

const listProblems = ({ refused }: ReturnType<typeof read>) =>
  refused.map(({ line, problem }) => `${line}: ${problem}`);

function findRefusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Invalid) return error.message;
    throw error;
  }
  throw new Error("The file was read.");
}

test("Greenhouse: escaped HTML becomes plain text, and mode and type stay unstated", () => {
  const file = read(readFixture("greenhouse.json"), "greenhouse");
  const url = "https://boards.greenhouse.io/patanglabs/jobs";
  const text = "Give our kites a face that a child recognises from the other side of the river.";
  expect(file.rows).toEqual([
    {
      line: 3,
      externalId: "4001001",
      board: "patanglabs",
      url: `${url}/4001001`,
      company: null,
      fields: {
        title: "Product Designer",
        location: "Bengaluru, India",
        places: "Bengaluru, India",
        description: "Patang Labs makes kites & the software that flies them over cities.",
        largeDescription:
          "Patang Labs makes kites & the software that flies them over cities.\n\nYou will\n• Draw screens for <pilots>\n• Test them outdoors",
        portalApplicationLink: `${url}/4001001`,
      },
    },
    {
      line: 16,
      externalId: "4001002",
      board: "patanglabs",
      url: `${url}/4001002`,
      company: null,
      fields: {
        title: "Brand Designer",
        location: "Remote - India",
        description: text,
        largeDescription: text,
        portalApplicationLink: `${url}/4001002`,
      },
    },
  ]);
  expect(listProblems(file)).toEqual([
    "24: It has no description. Download the jobs again with ?content=true.",
    "30: Its address must start with https:// or http://.",
  ]);
  expect(file.refused.map(({ externalId }) => externalId)).toEqual(["4001003", "4001004"]);
});

test("Lever: workplaceType and salaryRange become details, lists become bullets", () => {
  const file = read(readFixture("lever.json"), "lever");
  expect(file.refused).toEqual([]);
  const fields = file.rows.map((row) => row.fields);
  const films = "Short films for people who read little, in nine languages, with their own voices.";
  const urls = file.rows.map(({ url }) => url);
  expect(fields).toEqual([
    {
      title: "Senior UX Designer",
      location: "Pune; Mumbai",
      places: "Pune; Mumbai",
      jobType: "Full-time",
      workMode: "hybrid",
      payMin: "1800000",
      payMax: "2400000",
      payPeriod: "year",
      payCurrency: "INR",
      description: "Dariya helps fishing families sell their catch before the boat is back.",
      largeDescription:
        "Dariya helps fishing families sell their catch before the boat is back.\n\nYou bring\n• Four years of work\n• Patience & care\n\nWe answer everyone.",
      portalApplicationLink: urls[0],
    },
    // The board has no job type for a contract, and pay in whole numbers only.
    {
      title: "Motion Designer",
      location: "India",
      workMode: "remote",
      applicantPlaces: "India",
      compensation: "USD 25.5–30 per hour",
      description: films,
      largeDescription: films,
      portalApplicationLink: urls[1],
    },
    // A city doesn't say where applicants to remote work may live.
    {
      title: "Design Intern",
      location: "Remote, Kochi",
      jobType: "Internship",
      description: "Draw boats.",
      largeDescription: "Draw boats.",
      portalApplicationLink: urls[2],
    },
  ]);
  expect(file.rows.map(({ line, board }) => [line, board])).toEqual([
    [2, "dariya"],
    [29, "dariya"],
    [39, "dariya"],
  ]);
});

test("Ashby: workplaceType counts, isRemote doesn't, and unlisted jobs are left out", () => {
  const file = read(readFixture("ashby.json"), "ashby");
  expect(file.refused).toEqual([]);
  const [hybrid, remote] = file.rows;
  expect(file.rows).toHaveLength(2);
  expect(hybrid).toMatchObject({ line: 4, board: "udhaar" });
  expect(hybrid!.fields).toEqual({
    title: "Content Designer",
    location: "Hyderabad, India",
    places: "Hyderabad, India",
    jobType: "Full-time",
    workMode: "hybrid",
    compensation: "₹14L – ₹18L • Offers Equity",
    payMin: "1400000",
    payMax: "1800000",
    payPeriod: "year",
    payCurrency: "INR",
    description: "You write the words with which shopkeepers borrow, pay back and ask for help.",
    largeDescription:
      "You write the words with which shopkeepers borrow, pay back and ask for help.",
    portalApplicationLink: hybrid!.url,
  });
  expect(remote!.fields).toMatchObject({
    location: "Remote (India)",
    workMode: "remote",
    applicantPlaces: "India",
  });
  expect(remote!.fields.jobType).toBeUndefined();
});

test("JSON of the product's own: the fields of the form, with lists and names of skills", () => {
  const file = read(readFixture("own.json"), "json");
  expect(file.rows).toEqual([
    {
      line: 2,
      externalId: "d-1",
      board: null,
      url: "https://example.in/jobs/d-1",
      company: null,
      fields: {
        title: "Type Designer",
        location: "Pune",
        jobType: "Part-time",
        description: "Draw letters for nine scripts.",
        largeDescription: "You draw letters for nine scripts.\n\nYou test them on cheap phones.",
        pocName: "Lalita Rao",
        pocContact: "lalita@example.in",
        portalApplicationLink: "https://example.in/jobs/d-1",
        workMode: "on-site",
        places: "Pune; Kochi",
        experienceMin: "2",
        payMin: "25000",
        payMax: "30000",
        payPeriod: "month",
        "skill-figma": "on",
        "skill-type-design": "on",
      },
    },
  ]);
  expect(listProblems(file)).toEqual([
    "20: places: We don't know “Atlantis”. Use the nearest city, or its state.",
    "27: We don't know the skill “Figmaa”.",
    "34: It must be an object.",
  ]);
});

test("CSV from Excel: a BOM, semicolons, line breaks in quotation marks, empty lines", () => {
  const file = read(readFixture("own.csv"), "csv");
  expect(file.rows.map(({ line, externalId }) => [line, externalId])).toEqual([
    [2, "c-1"],
    [6, "c-2"],
  ]);
  expect(file.rows[0]!.fields).toEqual({
    title: "Sign Painter; Apprentice",
    location: "Jaipur",
    jobType: "Internship",
    description: "Paint signs.",
    largeDescription: 'Paint signs.\n\nClean "brushes".',
    portalApplicationLink: "https://example.in/jobs/c-1",
  });
  expect(file.ignoredColumns).toEqual(["Notes"]);
  expect(listProblems(file)).toEqual([
    "7: Its address must start with https:// or http://.",
    "8: It has the same id as the job on line 6.",
  ]);
});

test("WP Job Manager: published listings of the company, with lines as paragraphs", () => {
  const file = read(readFixture("wordpress.xml"), "wp-job-manager", "kagaz katha");
  expect(file.rows).toEqual([
    {
      line: 8,
      externalId: "71",
      board: "jobs.example.org",
      url: "https://jobs.example.org/job/book-designer/",
      company: "Kagaz Katha",
      fields: {
        title: "Book Designer & Illustrator",
        location: "Kolkata",
        places: "Kolkata",
        jobType: "Part-time",
        description:
          "You design picture books with an author and an editor, from the first idea to print.",
        largeDescription:
          "You design picture books with an author and an editor, from the first idea to print.\n\nYou keep your originals.\n• Four books a year\n• Two languages",
        pocContact: "press@example.org",
        payMin: "30000",
        payMax: "30000",
        payPeriod: "month",
        payCurrency: "INR",
      },
    },
  ]);
  expect(listProblems(file)).toEqual([
    "48: It belongs to “Patang Labs”. Import it with that company.",
  ]);
});

describe("a file that can't be read has one sentence", () => {
  const fixtures = {
    greenhouse: "greenhouse.json",
    lever: "lever.json",
    ashby: "ashby.json",
    json: "own.json",
    csv: "own.csv",
    "wp-job-manager": "wordpress.xml",
  } as const;
  const names = { json: "JSON", csv: "CSV", "wp-job-manager": "WP Job Manager" } as const;
  const providers = Object.keys(fixtures) as ImportProvider[];
  const pairs = providers.flatMap((own) =>
    providers.filter((other) => other !== own).map((other) => [own, other] as const),
  );

  test.each(pairs)("a %s file is not taken for %s", (own, other) => {
    const name =
      own in names ? names[own as keyof typeof names] : own[0]!.toUpperCase() + own.slice(1);
    expect(findRefusal(() => read(readFixture(fixtures[own]), other))).toBe(
      `This looks like a ${name} file. Use --from ${own}.`,
    );
  });

  const truncated = readFixture("greenhouse.json").slice(0, -200);
  const rss = (content: string) => `<?xml version="1.0"?>\n${content}`;
  test.each<[string, ImportProvider, string]>([
    ["[]", "json", "The file has no jobs."],
    ['{"jobs": []}', "greenhouse", "The file has no jobs."],
    [truncated, "greenhouse", "complete JSON list"],
    ['{"error": "not found"}', "lever", "complete JSON list"],
    ["7", "csv", "no column “title”"],
    ["title;location\nA;B", "csv", "no column “url”"],
    [rss("<html></html>"), "wp-job-manager", "Line 2: This isn't a WordPress export."],
    [rss("<rss><channel></rss>"), "wp-job-manager", "Line 2: This isn't valid XML"],
    [rss("<rss><channel></channel></rss>"), "wp-job-manager", "The file has no jobs."],
    [rss("<rss>\n&constructor;</rss>"), "wp-job-manager", "Line 3: This isn't valid XML"],
    [
      rss('<!DOCTYPE rss [<!ENTITY a "aaaa">]>\n<rss>&a;</rss>'),
      "wp-job-manager",
      "Line 2: A document type",
    ],
  ])("%j as %s", (text, provider, sentence) => {
    expect(findRefusal(() => read(text, provider))).toContain(sentence);
  });

  test.each<[string, Uint8Array, string]>([
    ["an empty one", new Uint8Array(), "The file is empty."],
    ["one of spaces", new TextEncoder().encode("\ufeff \n "), "The file is empty."],
    ["one of Windows", new Uint8Array([0x74, 0x92, 0x73]), "The file isn't UTF-8 text."],
    ["one of more than 50 MB", new Uint8Array(maxFileSize + 1), "larger than 50 MB"],
  ])("%s", (_name, bytes, sentence) => {
    expect(findRefusal(() => decodeFile(bytes))).toContain(sentence);
  });
});

describe("a job that can't be imported has its line and a sentence", () => {
  const job = { id: "1", url: "https://example.in/1", title: "Letterer", location: "Pune" };
  const full = { ...job, largeDescription: "Paint signs." };
  const inFile = (value: unknown) =>
    `[\n${typeof value === "string" ? value : JSON.stringify(value)}\n]`;
  test.each<[string, unknown, string]>([
    ["broken JSON", '{"url": "https://example.in/1", "title": x}', "It isn't valid JSON."],
    ["no title", { ...full, title: "" }, "title: Job title must be at least 3 characters."],
    ["no description", job, "description: Please summarise the job."],
    ["a script as its link", { ...full, url: "javascript:alert(1)" }, "must start with https://"],
    ["a data link", { ...full, url: "data:text/html,x" }, "must start with https://"],
    ["a contact link", { ...full, portalApplicationLink: "javascript:x" }, "Must be a valid URL."],
    ["an object as its title", { ...full, title: { en: "x" } }, "title must be text"],
    ["an unknown job type", { ...full, jobType: "Contract" }, "valid job type"],
    ["a past closing date", { ...full, closesOn: "2020-01-01" }, "Choose today or a later date."],
    [
      "a description beyond the form's limit",
      { ...full, largeDescription: "a".repeat(15_001) },
      "Its description has 15,001 characters, and a listing takes 15,000. Shorten it",
    ],
    [
      "a title beyond its limit",
      { ...full, title: "a".repeat(151) },
      "Its title has 151 characters, and a listing takes 150.",
    ],
    [
      "a million characters of HTML",
      { ...full, largeDescription: `<p>${"a ".repeat(500_000)}` },
      "Its description has 10,00,003 characters, which is too long to read.",
    ],
    ["another company", { ...full, company: "Other" }, "It belongs to “Other”."],
    ["a long id", { ...full, id: "1".repeat(301) }, "Its id must have 1 to 300 characters."],
  ])("%s", (_name, value, sentence) => {
    const [problem, ...others] = listProblems(read(inFile(value), "json"));
    expect(others).toEqual([]);
    expect(problem).toMatch(/^2: /);
    expect(problem).toContain(sentence);
  });

  test("control characters, NUL and half a surrogate pair don't reach the database", () => {
    const odd = {
      ...full,
      title: "Sign\u0000 \ud800Pain\u0007ter",
      largeDescription: "a\u0000\u200bb\r\nc",
    };
    const [row] = read(JSON.stringify([odd]), "json").rows;
    expect(row!.fields.title).toBe("Sign \ufffdPain ter");
    expect(row!.fields.largeDescription).toBe("ab\nc");
  });

  test("a broken CSV names the line where the rest can't be read", () => {
    const text = 'title,url,location,description\nA sign,https://example.in/1,Pune,Paint\nB,"https';
    const { rows, refused } = read(text, "csv");
    expect(rows.length + refused.length).toBe(1);
    expect(refused[0]!.problem).toContain("quotation mark");
  });

  test("a missing field of a provider is named", () => {
    expect(listProblems(read('[\n\n{"hostedUrl": "https://x.in/1", "id": "1"}]', "lever"))).toEqual(
      ["3: text is missing."],
    );
  });
});

test("entities are decoded once", () => {
  expect(toPlainText("<p>Write &amp;lt;b&amp;gt; &amp; draw</p>")).toBe("Write &lt;b&gt; & draw");
  const escaped = "&lt;p&gt;Write &amp;amp;lt;b&amp;amp;gt; &amp;amp; draw&lt;/p&gt;";
  expect(toPlainText(decodeEscapedHtml(escaped))).toBe("Write &lt;b&gt; & draw");
});

test.each([
  [
    "scripts, styles and pictures are left out",
    "<script>x()</script><style>p{}</style><img src=x alt=y><p>a</p>",
    "a",
  ],
  ["links keep their text", '<a href="https://example.in">our page</a>', "our page"],
  ["paragraphs and breaks are lines", "<p>a</p><p>b<br>c</p>", "a\n\nb\nc"],
  [
    "lists have bullets and numbers",
    "<ul><li>a</li><li><p>b</p></li></ul><ol><li>c</li></ol>",
    "• a\n• b\n 1. c",
  ],
  ["far too deep markup ends", "<div>".repeat(20_000), "…"],
])("HTML: %s", (_name, html, text) => {
  expect(toPlainText(html)).toBe(text);
});
