import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";
import { formatLinkLifetime } from "./rules.ts";

type Product = { name: string; supportEmail: string };

/**
 * The mail repeats nothing that was typed: the address may belong to someone other than the person who signed
 * up.
 */
export function ConfirmAddressMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Confirm your e-mail address"
      preview="One click and your account is ready."
    >
      <MailText>
        {`Confirm this address to finish creating your account. The link works once, for ${formatLinkLifetime("signup")}.`}
      </MailText>
      <MailAction href={link}>Confirm my address</MailAction>
      <MailText>
        If you did not sign up, ignore this mail: without the link nothing happens.
      </MailText>
    </MailLayout>
  );
}

export function AccountExistsMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="You already have an account"
      preview="Somebody signed up with your address."
    >
      <MailText>
        Somebody, probably you, signed up with this address. It already has an account.
      </MailText>
      <MailAction href={`${origin}/login`}>Log in</MailAction>
      <MailText>Forgotten the password? Ask for a new one at {origin}/forgot-password.</MailText>
    </MailLayout>
  );
}

export function ResetPasswordMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Create a new password"
      preview={`The link works once, for ${formatLinkLifetime("recovery")}.`}
    >
      <MailText>
        {`Follow this link to create a new password. It works once, for ${formatLinkLifetime("recovery")}.`}
      </MailText>
      <MailAction href={link}>Create a new password</MailAction>
      <MailText>
        If you did not ask for it, ignore this mail: your password stays as it is.
      </MailText>
    </MailLayout>
  );
}

type SignedIn = { product: Product; origin: string; device: string; at: string };

/** A security mail, which cannot be turned off. */
export function NewDeviceMail({ product, origin, device, at }: SignedIn) {
  return (
    <MailLayout
      product={product}
      title="A new device signed in"
      preview={`${device}, ${at}. If that was you, all is well.`}
    >
      <MailText>{`Somebody signed in to your account on a device that it did not know:`}</MailText>
      <MailText>{`${device}, on ${at} (India).`}</MailText>
      <MailText>
        If that was you, all is well. If not, end that session and create a new password, which
        signs everybody out:
      </MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
      <MailText>Where you are signed in stands at {`${origin}/profile/sessions`}.</MailText>
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
      <MailText>
        Your password has just been changed, and you were signed out on every device.
      </MailText>
      <MailText>If that was not you, ask for a new password at once:</MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
    </MailLayout>
  );
}

/** Notifies a person that they are banned. */
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
      preview={`You cannot sign in until ${until}.`}
    >
      <MailText>Your account is suspended until {until}. You were signed out everywhere.</MailText>
      {reason && <MailText>The reason: {reason}</MailText>}
      <MailText>If you think that this is a mistake, answer this mail.</MailText>
    </MailLayout>
  );
}

export function BanLiftedMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="Your account is open again"
      preview="You can sign in again."
    >
      <MailText>Your account is not suspended any more.</MailText>
      <MailAction href={`${origin}/login`}>Log in</MailAction>
    </MailLayout>
  );
}
