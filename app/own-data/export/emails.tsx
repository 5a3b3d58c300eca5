import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";
import { daysKept } from "./rules.ts";

type Product = { name: string; supportEmail: string };

export function ExportReadyMail({
  product,
  origin,
  size,
  until,
}: {
  product: Product;
  origin: string;
  size: string;
  until: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Your data is ready"
      preview={`Download it until ${until}. We'll ask you to log in again.`}
    >
      <MailText>
        {`The copy of your data is one ZIP file of ${size}. You can download it until ${until}. We'll ask you to log in again first.`}
      </MailText>
      <MailAction href={`${origin}/profile/data/export`}>Download your data</MailAction>
      <MailText>
        If you didn't ask for it, create a new password at {origin}/forgot-password and reply to
        this email.
      </MailText>
    </MailLayout>
  );
}

/** Tells a person at once that staff started an export for them. */
export function ExportStartedMail({
  product,
  origin,
  ticket,
}: {
  product: Product;
  origin: string;
  /** The message in which they asked for it; null if they asked in another way. */
  ticket: string | null;
}) {
  return (
    <MailLayout
      product={product}
      title="We're preparing a copy of your data"
      preview="We'll email you when you can download it."
    >
      <MailText>
        {ticket
          ? `As you asked in your message ${ticket}, we're preparing a copy of your data.`
          : "As you asked us, we're preparing a copy of your data."}
      </MailText>
      <MailText>
        {`Only you can download it, after you log in. We'll email you when it's ready, and delete it after ${daysKept} days.`}
      </MailText>
      <MailAction href={`${origin}/profile/data/export`}>See your exports</MailAction>
      <MailText>If you didn't ask for it, reply to this email.</MailText>
    </MailLayout>
  );
}
