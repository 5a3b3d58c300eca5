import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { testDatabase } from "../../tests/support/product/database.ts";
import { generateTicket, sendContactMessage } from "./contact-messages.server.tsx";

const { db } = await testDatabase();
const { product } = testConfig();

const form = {
  name: "Asha",
  email: "asha@example.com",
  subject: "Hello",
  message: "Is anybody there?",
  topic: "",
  renderedAt: "",
};

test("a ticket number can be read out: no vowels, nothing that looks like something else", () => {
  for (let turn = 0; turn < 500; turn++) {
    expect(generateTicket()).toMatch(
      /^T-[2-9BCDFGHJKMNPQRSTVWXYZ]{4}-[2-9BCDFGHJKMNPQRSTVWXYZ]{4}$/,
    );
  }
});

test("messages that come together get different ticket numbers", async () => {
  const tickets = await Promise.all(
    Array.from({ length: 15 }, (_, turn) =>
      sendContactMessage(db, product, {
        form: { ...form, email: `a${turn}@example.com` },
        sender: null,
      }),
    ),
  );
  expect(new Set(tickets).size).toBe(15);
});

test("a number that is taken is drawn again, also when two draw it at the same moment", async () => {
  const send = (spare: string) => {
    const drawn = ["T-TWCE-TWCE", spare];
    const ticketOf = () => drawn.shift()!;
    return sendContactMessage(db, product, { form, sender: null, ticketOf });
  };
  const tickets = await Promise.all([send("T-AAAA-AAAA"), send("T-BBBB-BBBB")]);
  expect(tickets).toContain("T-TWCE-TWCE");
  expect(new Set(tickets).size).toBe(2);
});
