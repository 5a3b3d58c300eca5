import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { formatLinkLifetime } from "./rules.ts";

type Product = { name: string; supportEmail: string };

/** Repeats nothing from the sign-up form, because the address may belong to someone else. */
export function ConfirmAddressMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Confirm your email address"
      preview="One click and your account is ready."
    >
      <MailText>
        {`Confirm this address to finish creating your account. The link works once and expires in ${formatLinkLifetime("signup")}.`}
      </MailText>
      <MailAction href={link}>Confirm my address</MailAction>
      <MailText>
        If you didn't sign up, ignore this email. Nothing happens unless the link is opened.
      </MailText>
    </MailLayout>
  );
}

export function AccountExistsMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="You already have an account"
      preview="Someone signed up with your address."
    >
      <MailText>
        Someone, probably you, signed up with this address, which already has an account.
      </MailText>
      <MailAction href={`${origin}/login`}>Log in</MailAction>
      <MailText>Forgot your password? Reset it at {origin}/forgot-password</MailText>
    </MailLayout>
  );
}

export function ResetPasswordMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Create a new password"
      preview={`The link works once and expires in ${formatLinkLifetime("recovery")}.`}
    >
      <MailText>
        {`Use this link to create a new password. It works once and expires in ${formatLinkLifetime("recovery")}.`}
      </MailText>
      <MailAction href={link}>Create a new password</MailAction>
      <MailText>
        If you didn't ask for this, ignore this email. Your password won't change.
      </MailText>
    </MailLayout>
  );
}

type SignedIn = { product: Product; origin: string; device: string; at: string };

/** A security email, which people can't turn off. */
export function NewDeviceMail({ product, origin, device, at }: SignedIn) {
  return (
    <MailLayout
      product={product}
      title="New sign-in to your account"
      preview={`${device}, ${at}. If this was you, there's nothing to do.`}
    >
      <MailText>We noticed a sign-in to your account from a new device:</MailText>
      <MailText>{`${device}, ${at} (IST)`}</MailText>
      <MailText>
        If this was you, there's nothing to do. If not, create a new password. That signs out every
        device.
      </MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
      <MailText>See where you're signed in: {`${origin}/profile/sessions`}</MailText>
    </MailLayout>
  );
}

export function PasswordChangedMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="Your password was changed"
      preview="You were signed out everywhere."
    >
      <MailText>Your password was just changed, and you were signed out on every device.</MailText>
      <MailText>If this wasn't you, create a new password right away:</MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
    </MailLayout>
  );
}

export function BannedMail({
  product,
  until,
  reason,
}: {
  product: Product;
  until: string;
  reason: string | null;
}) {
  return (
    <MailLayout
      product={product}
      title="Your account is suspended"
      preview={`You can't log in until ${until}.`}
    >
      <MailText>Your account is suspended until {until}. You were signed out everywhere.</MailText>
      {reason && <MailText>Reason: {reason}</MailText>}
      <MailText>If you think this is a mistake, reply to this email.</MailText>
    </MailLayout>
  );
}

export function BanLiftedMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="You can log in again"
      preview="Your suspension has been lifted."
    >
      <MailText>Your account is active again.</MailText>
      <MailAction href={`${origin}/login`}>Log in</MailAction>
    </MailLayout>
  );
}
