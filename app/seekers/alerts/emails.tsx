import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import {
  type AlertFrequency,
  confirmAlertWithin,
  frequencyPhrases,
  maxAlertsPerAddress,
} from "./rules.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { hour } from "../../platform/clock.ts";

type Product = { name: string; supportEmail: string };

/** An alert in an email: its filters in words, and its frequency. */
type NamedAlert = { name: string; frequency: AlertFrequency };

/** To a visitor who asked for an alert. It has none of their text, since anyone can enter any address. */
export function AlertConfirmationMail({
  product,
  alert,
  link,
}: {
  product: Product;
  alert: NamedAlert;
  /** The address where they confirm it. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Confirm your job alert"
      preview="Open this email to start your alert."
    >
      <MailText>
        Someone, probably you, asked us to email new jobs to this address{" "}
        {frequencyPhrases[alert.frequency]}:
      </MailText>
      <MailText>
        <strong>{alert.name}</strong>
      </MailText>
      <MailText>{`To start the alert, open this link within ${countNoun(confirmAlertWithin / hour, "hour")}.`}</MailText>
      <MailAction href={link}>Confirm your alert</MailAction>
      <MailText>If you didn&apos;t ask for it, ignore this email. We then delete it.</MailText>
    </MailLayout>
  );
}

/** To an address that has this alert already. */
export function AlertKnownMail({
  product,
  alert,
  link,
}: {
  product: Product;
  alert: NamedAlert;
  /** The address where they stop it. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title="You already have this job alert"
      preview="Nothing has changed."
    >
      <MailText>
        Someone, probably you, asked for an alert that this address already gets{" "}
        {frequencyPhrases[alert.frequency]}. Nothing has changed:
      </MailText>
      <MailText>
        <strong>{alert.name}</strong>
      </MailText>
      <MailText>To stop it, open this link.</MailText>
      <MailAction href={link}>Stop this alert</MailAction>
    </MailLayout>
  );
}

/** To an address that can't have another alert. */
export function AlertsFullMail({
  product,
  link,
}: {
  product: Product;
  /** The address where they stop all alerts. */
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title={`You have ${maxAlertsPerAddress} job alerts`}
      preview="Stop one to add another."
    >
      <MailText>
        Someone, probably you, asked for another job alert. This address has {maxAlertsPerAddress},
        the most that an address can have. To stop one, use the link below it in any of its emails.
      </MailText>
      <MailText>Or stop all of them here.</MailText>
      <MailAction href={link}>Stop all alerts</MailAction>
    </MailLayout>
  );
}
