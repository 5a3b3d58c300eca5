import { eq } from "drizzle-orm";
import { refunds } from "../../../app/payments/refunds/tables.server.ts";
import { orders } from "../../../app/payments/tables.server.ts";
import { mailsTo } from "../../support/rows/mailbox.ts";
import { ownPeople } from "../support/staff.ts";
import { endPayment, goToPayment, uploadResume } from "../support/steps.ts";
import { expect, test } from "../support/test.ts";

test("an admin finds an order and refunds it with a reason", async ({ browserOf, product }) => {
  const { customer } = await ownPeople(product);
  const buyer = await browserOf(customer.email);
  await uploadResume(buyer, "resume.pdf");
  await goToPayment(buyer);
  await endPayment(buyer, "Pay ₹199.00");
  await expect(buyer.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  const [order] = await product.db.select().from(orders).where(eq(orders.buyerId, customer.id));

  const admin = await browserOf("gita@example.in", "/admin");
  await admin.getByRole("link", { name: "Revenue" }).click();
  await expect(admin.getByRole("heading", { name: "Orders", exact: true })).toBeVisible();
  await admin.getByRole("searchbox", { name: "Search orders" }).fill(customer.email);
  await admin.getByRole("button", { name: "Search" }).click();
  await admin.getByRole("link", { name: order!.orderId }).click();
  await expect(admin.getByText("Payment of ₹199.00 started.")).toBeVisible();

  await admin.getByRole("link", { name: "Refund", exact: true }).click();
  const refund = admin.getByRole("button", { name: "Refund", exact: true });
  await refund.click();
  await expect(admin.getByText("Enter a reason for the audit log")).toBeVisible();
  await admin.getByLabel("Reason").fill("Paid by mistake.");
  await refund.click();
  await expect(admin.getByText("Refund started. We'll email the customer.")).toBeVisible();

  await buyer.goto("/profile");
  await expect(buyer.getByText("Refund in progress")).toBeVisible();
  const state = async () => {
    const own = eq(refunds.orderId, order!.orderId);
    const [row] = await product.db.select().from(refunds).where(own);
    return row!.state;
  };
  // The refund stays in the provider's queue for a while.
  const readStatus = async () => {
    const again = admin.getByRole("button", { name: "Check with PayU" });
    // The button disappears once the refund is settled.
    if (await again.isVisible()) await again.click();
    return state();
  };
  await expect.poll(readStatus, { timeout: 90_000, intervals: [2_000] }).toBe("settled");
  await admin.reload();
  await expect(admin.getByText("PayU completed the refund.")).toBeVisible();
  await buyer.reload();
  await expect(buyer.getByText("Refunded", { exact: true })).toBeVisible();
  const subjects = (await mailsTo(product.db, customer.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining(["Your refund of ₹199 is on its way", "₹199 refunded"]),
  );
});
