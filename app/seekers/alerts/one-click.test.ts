import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { jobAlert } from "../../../tests/support/rows/alerts.ts";
import { plainFetch } from "../../../tests/support/requests/plain-fetch.ts";
import { type RunningApp, runningApp } from "../../../tests/support/product/running.ts";
import { buildStopPath } from "./alerts.server.ts";
import { alerts } from "./tables.server.ts";

let app: RunningApp;
let turn = 0;

beforeAll(async () => {
  app = await runningApp();
});

/** Creates an alert, and returns its id and the path that stops it. */
async function stoppable() {
  const id = await jobAlert(app.db, { email: `reader${turn++}@example.com` });
  return { id, path: buildStopPath(app.product.services.app.config, id, "stop") };
}

const stateOf = async (id: string) =>
  (await app.db.select().from(alerts).where(eq(alerts.id, id)))[0]?.state;

/** Posts as a mail program does: from another site, and without a session. */
function press(
  path: string,
  body: string | FormData | URLSearchParams,
  headers: Record<string, string> = {},
) {
  return plainFetch(app.origin + path, {
    method: "POST",
    headers: { origin: "https://mail.example.org", "sec-fetch-site": "cross-site", ...headers },
    body,
  });
}

const oneClick = () => new URLSearchParams({ "List-Unsubscribe": "One-Click" });

function inParts(): FormData {
  const form = new FormData();
  form.set("List-Unsubscribe", "One-Click");
  return form;
}

test.each([
  ["a form", oneClick],
  ["parts", inParts],
])("one click, sent as %s, stops the alert", async (_type, body) => {
  const { id, path } = await stoppable();
  for (let times = 0; times < 2; times++) {
    const response = await press(path, body());
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  expect(await stateOf(id)).toBe("stopped");
});

test("fifty clicks at once have one effect", async () => {
  const { id, path } = await stoppable();
  const responses = await Promise.all(Array.from({ length: 50 }, () => press(path, oneClick())));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await stateOf(id)).toBe("stopped");
});

test("a link that we didn't sign stops nothing", async () => {
  const { id, path } = await stoppable();
  for (const changed of [`${path}x`, path.slice(0, -2), `/alerts/stop/${id}`])
    expect((await press(changed, oneClick())).status).toBe(404);
  expect(await stateOf(id)).toBe("active");
});

test("any other post from another site is refused", async () => {
  const { id, path } = await stoppable();
  for (const body of [
    new URLSearchParams({ intent: "stop" }),
    new URLSearchParams({ "List-Unsubscribe": "yes" }),
    "",
  ])
    expect((await press(path, body)).status).toBe(403);
  expect((await press(path, "x".repeat(20_000))).status).toBe(413);
  expect(await stateOf(id)).toBe("active");
});

test.each(["GET", "HEAD", "OPTIONS"])("%s shows the page and changes nothing", async (method) => {
  const { id, path } = await stoppable();
  const response = await plainFetch(app.origin + path, { method });
  expect(response.status).toBeLessThan(500);
  if (method === "GET") expect(await response.text()).toContain("Stop this alert");
  expect(await stateOf(id)).toBe("active");
});

test.each([["stop"], ["stop-all"]])("the button %s of the page works", async (intent) => {
  const { id, path } = await stoppable();
  const response = await press(path, new URLSearchParams({ intent }), {
    origin: app.origin,
    "sec-fetch-site": "same-origin",
  });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("You have no job alerts");
  expect(await stateOf(id)).toBe("stopped");
});
