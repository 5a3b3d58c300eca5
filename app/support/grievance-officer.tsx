import type { Product } from "../platform/config.server.ts";

/** How soon we handle a complaint. */
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
