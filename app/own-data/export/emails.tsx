import { MailAction, MailLayout, MailText } from "../../mail/mail-layout.tsx";

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
