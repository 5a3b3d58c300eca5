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

/** The mail at closing. `at` is the time of the purge. */
export function AccountClosedMail({
  product,
  origin,
  at,
  reason,
}: {
  product: Product;
  origin: string;
  at: string;
  /** Why our team closed it; null if the person did. */
  reason: string | null;
}) {
  return (
    <MailLayout
      product={product}
      title="Your account is closed"
      preview={`We delete your data on ${at}. Until then you can restore your account.`}
    >
      <MailText>
        {reason === null
          ? "You closed your account. You are logged out on every device."
          : `Our team closed your account: ${reason}`}
      </MailText>
      <MailText>
        {`On ${at} we delete your profile, your files and the text of your reviews. Payments stay without your name, as the law requires.`}
      </MailText>
      <MailText>Changed your mind? Log in before then, and your account is open again:</MailText>
      <MailAction href={`${origin}/login`}>Restore my account</MailAction>
      <MailText>{`If you didn't ask for this, log in and create a new password.`}</MailText>
    </MailLayout>
  );
}

export function UnusedAccountMail({
  product,
  origin,
  date,
}: {
  product: Product;
  origin: string;
  /** The day on which it is closed. */
  date: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Do you still need your account?"
      preview={`Log in before ${date} to keep it.`}
    >
      <MailText>
        {`You haven't used your account for a long time. To store no more than we need, we close it on ${date}, and delete your data two weeks later.`}
      </MailText>
      <MailText>To keep it, log in once before then:</MailText>
      <MailAction href={`${origin}/login`}>Keep my account</MailAction>
    </MailLayout>
  );
}

export function AccountRestoredMail({ product, origin }: { product: Product; origin: string }) {
  return (
    <MailLayout
      product={product}
      title="Your account is open again"
      preview="You logged in, so we delete nothing."
    >
      <MailText>You logged in to your closed account, so it is open again.</MailText>
      <MailText>
        Links to your reviews, job alerts, your subscription, roles and companies stay ended.
      </MailText>
      <MailText>If this wasn&apos;t you, create a new password right away:</MailText>
      <MailAction href={`${origin}/forgot-password`}>Create a new password</MailAction>
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

/** Anyone with an account can type any address, so it repeats nothing that they typed. */
export function ConfirmNewAddressMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Confirm your new email address"
      preview="One click, and you log in with this address."
    >
      <MailText>
        {`Confirm this address to log in to ${product.name} with it. The link works once and expires in 24 hours.`}
      </MailText>
      <MailAction href={link}>Confirm this address</MailAction>
      <MailText>If you didn't ask for this, ignore this email. Nothing changes.</MailText>
    </MailLayout>
  );
}

/** To the earlier and the new address. */
export function AddressChangedMail({
  product,
  reversal,
}: {
  product: Product;
  /** The link that takes the change back, and when it expires; null for the new address. */
  reversal: { link: string; until: string } | null;
}) {
  return (
    <MailLayout
      product={product}
      title="Your email address was changed"
      preview="You were signed out everywhere."
    >
      <MailText>
        The email address of your account was changed, and you were signed out on every device.
      </MailText>
      {reversal ? (
        <>
          <MailText>
            {`If this wasn't you, take your account back. The link works until ${reversal.until} (IST).`}
          </MailText>
          <MailAction href={reversal.link}>Take my account back</MailAction>
        </>
      ) : (
        <MailText>If this wasn't you, reply to this email.</MailText>
      )}
    </MailLayout>
  );
}

/** To the other god admins. */
export function ReversalAskedMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="A staff account is locked"
      preview="Its earlier email address asks for it back."
    >
      <MailText>
        The email address of a staff account was changed. Its earlier address says that its owner
        didn't do that. The account is locked until one of you gives it back.
      </MailText>
      <MailText>Call the person first. Then open their page:</MailText>
      <MailAction href={link}>Open the account</MailAction>
    </MailLayout>
  );
}
