import { memo } from "react";
import { Link } from "react-router";
import { Icon } from "../ui/brand/icon.tsx";
import type { Shell } from "./shell.server.ts";
import { ThemeChoice } from "./theme-switch.tsx";

const product = [
  ["/jobs", "Jobs"],
  ["/services", "Services"],
  ["/about", "About"],
  ["/contact", "Contact"],
  ["/faq", "FAQ"],
] as const;

const legal = [
  ["/privacy", "Privacy"],
  ["/terms", "Terms"],
  ["/refund", "Refunds"],
] as const;

/** Its many links are not rendered again at each step of a navigation. */
export const Footer = memo(function Footer({ shell }: { shell: Shell }) {
  const { name, supportPhone, supportEmail, socialProfiles } = shell.product;
  return (
    <footer className="site-footer">
      <div className="site-footer-row">
        <div>
          {name === "Naksha" && <span className="script-mark" aria-hidden="true" />}
          <p className="max-w-narrow text-ink-soft">
            Real design jobs in India, with a real person at each company to ask.
          </p>
        </div>
        <Links title="Find your way" links={product} />
        <Links title="The small print" links={legal} />
        <section>
          <h2>Talk to us</h2>
          <ul>
            <li>
              <a href={`tel:${supportPhone.replace(/\s/g, "")}`}>
                <Icon name="phone" />
                {supportPhone}
              </a>
            </li>
            <li>
              <a href={`mailto:${supportEmail}`}>
                <Icon name="mail" />
                {supportEmail}
              </a>
            </li>
            {socialProfiles.map(({ label, url }) => (
              <li key={label}>
                <a href={url} target="_blank" rel="noreferrer">
                  <Icon name="external" />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <div className="site-footer-end">
        <p>
          © {shell.year} {name}. All rights reserved.
        </p>
        <ThemeChoice theme={shell.theme} />
      </div>
    </footer>
  );
});

function Links({ title, links }: { title: string; links: readonly (readonly [string, string])[] }) {
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {links.map(([to, label]) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
