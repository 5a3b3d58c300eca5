import { day, hour } from "../platform/clock.ts";
import { countNoun } from "../platform/count-noun.ts";
import { confirmWithin, joinWithin } from "./rules.ts";
import { MailAction, MailLayout, MailText } from "../mail/mail-layout.tsx";

type Product = { name: string; supportEmail: string };

/** To the work email of a person who wants to post. It has none of their text, since anyone can type any address. */
export function WorkEmailMail({ product, link }: { product: Product; link: string }) {
  return (
    <MailLayout
      product={product}
      title="Confirm your work email"
      preview="Open this email to post jobs for your company."
    >
      <MailText>
        You want to post jobs on {product.name} with this work email. Open this link within{" "}
        {countNoun(confirmWithin / hour, "hour")}, in the account that you used.
      </MailText>
      <MailAction href={link}>Confirm your work email</MailAction>
      <MailText>
        If it wasn't you, ignore this email. Nobody can post with your address without this link.
      </MailText>
    </MailLayout>
  );
}

/** To a work email that an owner invited. It has none of their text, which nobody may have read. */
export function InvitationMail({
  product,
  domain,
  owner,
  link,
}: {
  product: Product;
  domain: string;
  /** The owner's confirmed work email. */
  owner: string;
  link: string;
}) {
  return (
    <MailLayout
      product={product}
      title={`Post jobs for ${domain}`}
      preview={`${owner} invites you to post jobs for the company at ${domain}.`}
    >
      <MailText>
        {owner} invites you to post jobs on {product.name} for the company at {domain}, with this
        work email. Open this link within {countNoun(joinWithin / day, "day")}, log in or create an
        account, and press Join.
      </MailText>
      <MailAction href={link}>See the invitation</MailAction>
      <MailText>If you don't want to, ignore this email.</MailText>
    </MailLayout>
  );
}

/** To the owners of a company that another person claims. */
export function ClaimMail({
  product,
  company,
  person,
  workEmail,
}: {
  product: Product;
  company: string;
  person: string | null;
  workEmail: string;
}) {
  return (
    <MailLayout
      product={product}
      title="Someone wants to post jobs for your company"
      preview={`${workEmail} wants to post for ${company}.`}
    >
      <MailText>
        {person?.trim() || "Someone"} confirmed the address {workEmail} and wants to post jobs for{" "}
        {company}. Our team decides, and they can't post until then.
      </MailText>
      <MailText>
        If you don't know this person, write to us at {product.supportEmail} today.
      </MailText>
    </MailLayout>
  );
}

/** To a person whose claim on a company was decided. */
export function ClaimDecisionMail({
  product,
  origin,
  company,
  domain,
  reason,
}: {
  product: Product;
  origin: string;
  company: string;
  domain: string;
  /** Null if they can post now. */
  reason: string | null;
}) {
  if (reason !== null)
    return (
      <MailLayout
        product={product}
        title="You can't post for this company"
        preview={`Your request to post for the company at ${domain}`}
      >
        <MailText>
          You asked to post jobs for the company at {domain}. We couldn't approve that. The reason:
        </MailText>
        <MailText>{reason}</MailText>
      </MailLayout>
    );
  return (
    <MailLayout
      product={product}
      title={`You can post jobs for ${company}`}
      preview="Our team approved your request."
    >
      <MailText>
        Our team approved your request. Your listings go online after we have read them.
      </MailText>
      <MailAction href={`${origin}/post/listings`}>Post a job</MailAction>
    </MailLayout>
  );
}

/** To the member who sent a change of their company's page that was decided. */
export function PageDecisionMail({
  product,
  origin,
  company,
  companyId,
  reason,
}: {
  product: Product;
  origin: string;
  /** The published name. */
  company: string;
  companyId: string;
  /** Null if it was published. */
  reason: string | null;
}) {
  const link = `${origin}/post/company/${companyId}/page`;
  if (reason !== null)
    return (
      <MailLayout
        product={product}
        title="Please edit your company's page"
        preview={`We couldn't publish your change of the page of ${company} yet.`}
      >
        <MailText>
          We read your change of the page of {company} and couldn't publish it yet. The reason:
        </MailText>
        <MailText>{reason}</MailText>
        <MailText>The published page stays as it is.</MailText>
        <MailAction href={link}>Edit the change</MailAction>
      </MailLayout>
    );
  return (
    <MailLayout
      product={product}
      title="Your company's page is changed"
      preview={`We published your change of the page of ${company}.`}
    >
      <MailText>We published your change of the page of {company}.</MailText>
      <MailAction href={link}>See your company's page</MailAction>
    </MailLayout>
  );
}
