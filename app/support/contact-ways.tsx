import { Link } from "react-router";
import { Icon } from "../ui/brand/icon.tsx";
import type { ProductFacts } from "./product-facts.ts";

/** Every other way to reach us, and who we are. */
export function ContactWays({ product }: { product: ProductFacts }) {
  const { merchant, supportEmail, supportPhone } = product;
  return (
    <div className="contact-ways">
      <PostRoute />
      <section>
        <h2>Phone</h2>
        <p>
          <a href={`tel:${supportPhone.replace(/\s/g, "")}`}>
            <Icon name="phone" />
            {supportPhone}
          </a>
        </p>
        <p>Monday to Friday, 10am to 6pm IST</p>
      </section>
      <section>
        <h2>Email</h2>
        <p>
          <a href={`mailto:${supportEmail}`}>
            <Icon name="mail" />
            {supportEmail}
          </a>
        </p>
        <p>We reply as soon as possible.</p>
      </section>
      <section className="contact-legal">
        <h2>Legal information</h2>
        <dl>
          <dt>Merchant legal entity name</dt>
          <dd>{merchant}</dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </dd>
        </dl>
      </section>
      <p>
        Many answers stand in the <Link to="/faq">FAQ</Link> already.
      </p>
    </div>
  );
}

/** A letter's way over the hills. */
function PostRoute() {
  return (
    <svg className="drawing contact-route" viewBox="0 0 280 104" aria-hidden="true">
      <path
        className="d-faint"
        d="M2 84c40-18 60 4 98-12s40-44 78-36 40 34 98 22M2 96c44-14 70 4 110-8s44-36 72-28 36 26 92 18M96 30c12-16 34-18 46-6M104 38c10-10 22-12 30-4M206 22c14-12 34-10 46 4"
      />
      <path className="d-route" d="M62 66c24 22 50 14 66-10s38-34 62-16 32 22 44 12" />
      <path className="d-fill" d="M12 42h52v34H12z" />
      <path d="M12 42h52v34H12zM12 43l26 20 26-20" />
      <path className="d-fill" d="m242 26 20 34h-40z" />
      <path d="m242 26 20 34h-40zM242 60v20" />
      <path className="d-mark" d="M242 42a6 6 0 1 1-.1 0z" />
    </svg>
  );
}
