import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { generateTicket, sendMessage } from "./send-message.server.tsx";

const { db } = await testDatabase();
const config = testConfig();

const form = {
  name: "Asha",
  email: "asha@example.com",
  subject: "Hello",
  message: "Are you there?",
  topic: "",
  renderedAt: "",
};

test("ticket numbers have no vowels and no look-alike characters", () => {
  for (let turn = 0; turn < 500; turn++) {
    expect(generateTicket()).toMatch(
      /^T-[2-9BCDFGHJKMNPQRSTVWXYZ]{4}-[2-9BCDFGHJKMNPQRSTVWXYZ]{4}$/,
    );
  }
});

test("concurrent messages get different ticket numbers", async () => {
  const sent = await Promise.all(
    Array.from({ length: 15 }, (_, turn) =>
      sendMessage(db, config, { form: { ...form, email: `a${turn}@example.com` }, sender: null }),
    ),
  );
  expect(new Set(sent.map(({ ticket }) => ticket)).size).toBe(15);
});

test("a ticket number in use is replaced, even when two messages draw it together", async () => {
  const send = (spare: string) => {
    const numbers = ["T-TWCE-TWCE", spare];
    const ticketOf = () => numbers.shift()!;
    return sendMessage(db, config, { form, sender: null, ticketOf });
  };
  const sent = await Promise.all([send("T-AAAA-AAAA"), send("T-BBBB-BBBB")]);
  const tickets = sent.map(({ ticket }) => ticket);
  expect(tickets).toContain("T-TWCE-TWCE");
  expect(new Set(tickets).size).toBe(2);
});
