import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { runningApp, type RunningApp } from "../../tests/support/product/running.ts";
import { plainFetch } from "../../tests/support/requests/plain-fetch.ts";
import { people } from "../../tests/support/rows/people.ts";
import type { Actor } from "../accounts/actor.server.ts";
import { noticeVersion } from "../accounts/consents/notice.ts";
import { formatNoticeVersion } from "../accounts/consents/rules.ts";
import { isConsentForm } from "./notice-banner.tsx";

let app: RunningApp;
let asha: Actor;
let gita: Actor;

beforeAll(async () => {
  app = await runningApp(async (db) => {
    ({ asha, gita } = await people(db));
  });
});

/** Leaves a person with the consents of an account from before the current notice. */
async function useOldNotice({ id }: Actor): Promise<void> {
  await app.db.execute(sql`delete from consents where user_id = ${id}`);
  await app.db.execute(
    sql`insert into consents (user_id, purpose, notice_version, given_at, how)
      values (${id}, 'account', '2025-05-01', now(), 'sign-up')`,
  );
}

async function open(who: Actor | null, path: string) {
  const headers: Record<string, string> = who ? { cookie: await app.cookieOf(who) } : {};
  const { status, text } = await plainFetch(app.origin + path, { headers });
  return { status, html: await text() };
}

const banner = /<section class="consents_notice-banner".*?<\/section>/s;
const noticeDate = formatNoticeVersion(noticeVersion);
const changed = `Our privacy notice changed on ${noticeDate}.`;

test("screens for signed-in people and staff ask for a changed notice until it is accepted", async () => {
  for (const who of [asha, gita]) await useOldNotice(who);
  for (const [who, path] of [
    [asha, "/profile"],
    [asha, "/profile/sessions"],
    [gita, "/admin/users"],
  ] as const) {
    const { status, html } = await open(who, path);
    expect(status).toBe(200);
    expect(html).toContain(changed);
    expect(html).toContain("I&#x27;m 18 or older and accept both");
    expect(html).toContain('href="/privacy/notice#changes"');
  }
  // Without scripts, the form leads to the consents.
  const answer = await plainFetch(`${app.origin}/profile/data`, {
    method: "POST",
    headers: { origin: app.origin, cookie: await app.cookieOf(asha) },
    body: new URLSearchParams({ intent: "accept-notice" }),
  });
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain("You accepted the privacy notice");
  expect(html).not.toMatch(banner);
  expect((await open(asha, "/profile")).html).not.toMatch(banner);
  expect((await open(gita, "/admin")).html).toMatch(banner);
});

test("an adult is only asked to accept, and a person without any consent to read the notice", async () => {
  await useOldNotice(asha);
  await app.db.execute(
    sql`insert into consents (user_id, purpose, notice_version, given_at, how)
      select ${asha.id}, purpose, '2025-05-01', now(), 'notice' from unnest(array['adult', 'terms']) purpose`,
  );
  expect(banner.exec((await open(asha, "/profile")).html)?.[0]).toContain(">I accept<");
  await app.db.execute(sql`delete from consents where user_id = ${asha.id}`);
  const [first] = banner.exec((await open(asha, "/profile")).html)!;
  expect(first).toContain(`Please accept our privacy notice of ${noticeDate}.`);
  expect(first).toContain("I&#x27;m 18 or older and accept both");
});

test("visitors and public pages get no banner", async () => {
  await useOldNotice(asha);
  for (const path of ["/", "/jobs", "/privacy", "/privacy/notice"]) {
    expect((await open(null, path)).html).not.toMatch(banner);
    expect((await open(asha, path)).html).not.toMatch(banner);
  }
  expect((await open(null, "/shared/none")).html).not.toMatch(banner);
});

test("a screen works without its banner if the query fails", async () => {
  await useOldNotice(asha);
  await app.db.execute(sql`alter table consents rename to consents_away`);
  try {
    const { status, html } = await open(asha, "/profile/sessions");
    expect(status).toBe(200);
    expect(html).toContain("In use now");
    expect(html).not.toMatch(banner);
  } finally {
    await app.db.execute(sql`alter table consents_away rename to consents`);
  }
});

test("the banner's query runs after forms of the consents, and not on each navigation", () => {
  const at = (formMethod?: "GET" | "POST", formAction?: string) =>
    isConsentForm({ formMethod, formAction } as Parameters<typeof isConsentForm>[0]);
  expect(at()).toBe(false);
  expect(at("POST", "/profile/mails")).toBe(false);
  expect(at("GET", "/profile/data")).toBe(false);
  expect(at("POST", "/profile/data")).toBe(true);
  expect(at("POST", "/profile/data?index")).toBe(true);
});

test("the notice shows each kind of data and the responsible company", async () => {
  const { status, html } = await open(null, "/privacy/notice");
  expect(status).toBe(200);
  const words = html.replaceAll(/<!--.*?-->|<[^>]+>/g, "");
  expect(words).toContain(`Updated ${noticeDate}`);
  expect(words).toContain("MerchantSample Merchant (sole proprietor)");
});
