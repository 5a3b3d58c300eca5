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

/** To support: the last check is over, and it is not known whether the buyer has paid. */
export function GivenUpMail({
  product,
  orderId,
  askedPaise,
  why,
}: {
  product: Product;
  orderId: string;
  askedPaise: number;
  why: string;
}) {
  return (
    <MailLayout
      product={product}
      title="A payment that could not be settled"
      preview={`Order ${orderId} is checked no more.`}
    >
      <MailText>
        For eight days we have asked the provider about order {orderId}, of {rupees(askedPaise)},
        without an end. {why}
      </MailText>
      <MailText>
        Look at the payment in the provider&apos;s dashboard. To ask once more, run: npm run admin
        -- orders ask {orderId}
      </MailText>
    </MailLayout>
  );
}

function rupees(paise: number): string {
  return `₹${rupeesWithPaise(paise)}`;
}
