import { eq } from "drizzle-orm";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { testDatabase } from "../../tests/support/product/database.ts";
import { now } from "../platform/clock.ts";
import { listTokens } from "../ui/brand/tokens.server.ts";
import { createMail } from "./deliver-mail.server.ts";
import {
  MailAction,
  MailLayout,
  type MailStation,
  MailStations,
  MailText,
} from "./mail-layout.tsx";
import { mailTokens } from "./mail-style.ts";
import { mails } from "./tables.server.ts";

const { db } = await testDatabase();

const stations: MailStation[] = [
  { label: "Paid", state: "passed", detail: "on Nov 24" },
  { label: "With a reviewer", state: "current" },
  { label: "Ready", state: "ahead", detail: "by Fri, Nov 27, 7:58 AM" },
];

test("stations are one line of the plain text, between the paragraphs around them", async () => {
  const { text } = await write(
    <>
      <MailText>Before</MailText>
      <MailStations stations={stations} />
      <MailText>After</MailText>
    </>,
  );
  const line = "Paid on Nov 24 → With a reviewer → Ready by Fri, Nov 27, 7:58 AM";
  expect(text).toContain(`\n\nBefore\n\n${line}\n\nAfter\n\n`);
});

test("stations have a mark for each state, and a solid line only behind passed ones", async () => {
  const { html } = await write(<MailStations stations={stations} />);
  const drawn = html.slice(html.indexOf("data-text"));
  const marks = [
    ...drawn.matchAll(/<div class="mail-(passed|current|ahead)" style="border-radius/g),
  ];
  expect(marks.map(([, state]) => state)).toEqual(["passed", "current", "ahead"]);
  const lines = [...drawn.matchAll(/border-top:2px (solid|dotted)/g)].map(([, kind]) => kind);
  expect(lines).toEqual(["solid", "dotted"]);
});

test("a late order says so in both parts, beside the date that has passed", async () => {
  const { html, text } = await write(<MailStations stations={stations} isLate />);
  expect(text).toContain("→ Ready by Fri, Nov 27, 7:58 AM (late)\n");
  expect(html).toMatch(/class="mail-late"[^>]*>by Fri, Nov 27, 7:58 AM \(late\)</);
  expect((await write(<MailStations stations={stations} />)).html).not.toContain('"mail-late"');
});

test("a station without a date is only its name", async () => {
  const undated = stations.map(({ label, state }) => ({ label, state }));
  const { text } = await write(<MailStations stations={undated} />);
  expect(text).toContain("\nPaid → With a reviewer → Ready\n");
});

test("the address of a button is in the plain text once", async () => {
  const { text, html } = await write(<MailAction href="https://a.example/b">Open</MailAction>);
  expect(text.split("https://a.example/b")).toHaveLength(2);
  expect(html.split(">https://a.example/b<")).toHaveLength(2);
});

test("an email names the brand's faces, but nothing in it is fetched when it is opened", async () => {
  const { html } = await write(<MailStations stations={stations} />);
  expect(html).toContain("Anek Latin");
  expect(html).toContain("Instrument Sans");
  expect(html).not.toMatch(
    /<(?:img|link|svg|script|iframe)\b|url\(|@import|\bsrc=|\bbackground="/i,
  );
  expect(html).not.toContain("var(");
});

test("an email has the light theme inline, and the dark one in its stylesheet", async () => {
  const { html } = await write(<MailText>Hello</MailText>);
  const [head = "", body = ""] = html.split("</head>");
  expect(body).toContain("background-color:#fbfaf5");
  expect(body).toContain("color:#17211f");
  const dark = head.slice(head.indexOf("prefers-color-scheme:dark"));
  expect(dark).toContain(".mail-sheet{background-color:#11212b!important");
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
});

test("the colors of emails are those of the tokens", () => {
  const tokens = new Map(listTokens().map(({ name, light, dark }) => [name, [light, dark]]));
  for (const [name, ...values] of Object.values(mailTokens))
    expect(tokens.get(`--color-${name}`), name).toEqual(values);
});

let count = 0;

async function write(content: ReactElement) {
  const product = { name: "Naksha", supportEmail: "support@naksha.example" };
  const body = (
    <MailLayout product={product} title="A title" preview="A preview">
      {content}
    </MailLayout>
  );
  const mail = { cause: `layout-${count++}`, to: "asha@example.com", subject: "A subject", body };
  const id = await createMail(db, mail, { createdAt: now() });
  const [row] = await db.select().from(mails).where(eq(mails.id, id!));
  return row!;
}
