import { isDisposableEmailDomain } from "disposable-email-domains-js";
import mailProviders from "email-providers/all.json" with { type: "json" };
import { getDomain } from "tldts";

/** Hosts of many companies, such as github.io, count as public suffixes: each of their sites is a domain of its own. */
const options = { allowPrivateDomains: true } as const;

/** Providers in use in India that the list lacks. */
const otherProviders = [
  "duck.com",
  "fastmail.com",
  "in.com",
  "live.in",
  "rediff.com",
  "tutanota.com",
  "zohomail.in",
];
const providers = new Set<string>([...mailProviders, ...otherProviders]);

/**
 * Returns the registrable domain of a company's website: "acme.co.in" for https://careers.acme.co.in/jobs
 *
 * @returns null for an IP address, a bare suffix such as "co.in", and what is no https address
 */
export function findWebsiteDomain(website: string): string | null {
  const url = URL.canParse(website) ? new URL(website) : null;
  if (url?.protocol !== "https:" || url.username || url.password) return null;
  return getDomain(url.hostname, options)?.toLowerCase() ?? null;
}

/**
 * Explains why an address isn't a work email of a company. Only names are compared: where a company's mail is hosted says
 * nothing about it.
 *
 * @param domain the registrable domain of the company's website
 * @returns null if the address fits
 */
export function findWorkEmailProblem(email: string, domain: string): string | null {
  const host = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (providers.has(host) || isDisposableEmailDomain(host))
    return "Use an address at your company's own domain, not one of a mail provider.";
  return getDomain(host, options) === domain
    ? null
    : `Use an address at ${domain}, like your website. If your company uses another domain for email, contact us.`;
}
