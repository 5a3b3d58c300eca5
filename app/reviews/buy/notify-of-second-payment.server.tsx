import { eq } from "drizzle-orm";
import { users } from "../../accounts/tables.server.ts";
import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { queueMail } from "../../mail/queue-mail.server.ts";
import type { Config } from "../../platform/config.server.ts";
import type { Database } from "../../platform/database.server.ts";
import { type ServiceType, services } from "../rules.ts";

/** What links and greetings in mails are made of. */
export type Sender = Pick<Config, "origin" | "product">;

/** Mails a buyer whose second payment for the same materials went through as well. */
export async function notifyOfSecondPaymentLater(
  tx: Database,
  { origin, product }: Sender,
  {
    buyerId,
    serviceType,
    orderId,
    earlier,
  }: { buyerId: string; serviceType: ServiceType; orderId: string; earlier: string },
): Promise<void> {
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, buyerId));
  if (!buyer) return;
  const service = services[serviceType].shortLabel;
  await queueMail(tx, {
    cause: `second-payment:${orderId}`,
    to: buyer.email,
    replyTo: product.supportEmail,
    subject: `You have paid twice for your ${service}`,
    body: (
      <MailLayout
        product={product}
        title="Two payments for the same materials"
        preview="Each of them bought a review."
      >
        <MailText>
          Two payments for your {service} went through, {earlier} and {orderId}. Each of them bought
          a review of the same materials, and both reviews are on your profile.
        </MailText>
        <MailText>
          If you wanted only one, answer this mail right away and name the transaction {orderId}: an
          order can be cancelled only right after it was placed.
        </MailText>
        <MailAction href={`${origin}/profile`}>Open my profile</MailAction>
      </MailLayout>
    ),
  });
}
