import { MailLayout, MailText } from "../mail/mail-layout.tsx";
import { rupeesWithPaise } from "../platform/money.ts";

type Product = { name: string; supportEmail: string };

/** To support: money may have moved, but not the money that the order asked for. */
export function WrongAmountMail({
  product,
  orderId,
  askedPaise,
  saidPaise,
}: {
  product: Product;
  orderId: string;
  askedPaise: number;
  saidPaise: number | null;
}) {
  const said = saidPaise === null ? "an amount that cannot be read" : rupees(saidPaise);
  return (
    <MailLayout
      product={product}
      title="A payment of a wrong amount"
      preview={`Order ${orderId} was not delivered.`}
    >
      <MailText>
        The provider reports {said} for order {orderId}, which is for {rupees(askedPaise)}.
      </MailText>
      <MailText>
        Nothing was delivered and the order is not settled. Look at the payment in the
        provider&apos;s dashboard, then settle it with the buyer.
      </MailText>
    </MailLayout>
  );
}

function rupees(paise: number): string {
  return `₹${rupeesWithPaise(paise)}`;
}
