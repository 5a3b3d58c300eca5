import type { Product } from "../platform/config.server.ts";

/** Our promise for complaints, as the law requires. */
export const complaintPromise = "We acknowledge within 48 hours and settle within one month.";

/** The person who is responsible for complaints, with their contact details. */
export function GrievanceOfficer({
  officer,
  className,
}: Pick<Product, "officer"> & { className?: string }) {
  const { name, title, email, phone } = officer;
  return (
    <dl className={className}>
      <dt>Name</dt>
      <dd>
        {name}, {title}
      </dd>
      <dt>Email</dt>
      <dd>
        <a href={`mailto:${email}`}>{email}</a>
      </dd>
      <dt>Phone</dt>
      <dd>
        <a href={`tel:${phone.replace(/\s/g, "")}`}>{phone}</a>
      </dd>
    </dl>
  );
}

/** The seller's GST number, for a list of details. It renders nothing without one. */
export function GstinDetail({ tax }: Pick<Product, "tax">) {
  if (!tax) return null;
  return (
    <>
      <dt>GSTIN</dt>
      <dd>
        {tax.gstin} ({tax.state})
      </dd>
    </>
  );
}
