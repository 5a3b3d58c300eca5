import type { ReactNode } from "react";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import type { Product } from "../platform/config.server.ts";
import { complaintPromise, GrievanceOfficer, GstinDetail } from "./seller-details.tsx";
import * as styles from "./legal.module.css";
import * as proseStyles from "../ui/layout/prose.module.css";

export type LegalSection = { id: string; title: string; text: ReactNode };

/** A legal text with a sticky table of contents, numbered sections and our contact details. */
export function LegalPage({
  title,
  intro,
  sections,
  product,
  stylesheet,
}: {
  title: string;
  intro: ReactNode;
  sections: LegalSection[];
  product: ProductFacts;
  /** The address of the screen's styles. */
  stylesheet: string;
}) {
  const all = [...sections, buildSupportSection(product), buildComplaintSection(product)];
  return (
    <Page title={title} intro={intro}>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className={styles.legal}>
        <nav className={styles.contents} aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol>
            {all.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={styles.text}>
          {all.map((section) => (
            <section key={section.id} id={section.id}>
              <h2>{section.title}</h2>
              <div className={proseStyles.prose}>{section.text}</div>
            </section>
          ))}
        </div>
      </div>
    </Page>
  );
}

function buildSupportSection({ merchant, supportPhone, supportEmail }: ProductFacts): LegalSection {
  return {
    id: "reach-us",
    title: "Contact us",
    text: (
      <>
        <dl className={styles.facts}>
          <dt>Merchant</dt>
          <dd>{merchant}</dd>
          <dt>Phone</dt>
          <dd>
            <a href={`tel:${supportPhone.replace(/\s/g, "")}`}>{supportPhone}</a>, Monday to Friday,
            10am to 6pm IST
          </dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </dd>
        </dl>
        <p>
          Or send us a message from the <Link to="/contact">contact page</Link>.
        </p>
      </>
    ),
  };
}

function buildComplaintSection({ merchant, address, officer, tax }: ProductFacts): LegalSection {
  return {
    id: "complaints",
    title: "Complaints",
    text: (
      <>
        <p>
          Write to our grievance officer if something went wrong, or send a message from the{" "}
          <Link to="/contact">contact page</Link>. {complaintPromise}
        </p>
        <h3>Grievance officer</h3>
        <GrievanceOfficer officer={officer} className={styles.facts} />
        <h3>Seller</h3>
        <dl className={styles.facts}>
          <dt>Name</dt>
          <dd>{merchant}</dd>
          <dt>Address</dt>
          <dd>{address}</dd>
          <GstinDetail tax={tax} />
        </dl>
        <p className={styles.updated}>Updated November 26, 2026</p>
      </>
    ),
  };
}

/** Company details for the information pages. */
export type ProductFacts = Omit<Product, "socialProfiles">;
