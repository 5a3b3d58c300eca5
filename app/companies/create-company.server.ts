import { eq } from "drizzle-orm";
import { recordAuditEvents } from "../platform/audit.server.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/database.server.ts";
import { Conflict, Invalid } from "../platform/errors.ts";
import { cleanLine } from "../platform/text/text.ts";
import { maxLengths } from "./rules.ts";
import { companies } from "./tables.server.ts";
import { findWebsiteDomain } from "./work-email.server.ts";

const maxSlugLength = 60;

type NewCompany = { slug: string; name: string; website: string };

/**
 * Creates an approved company without members. Operator only. People with a work email at its domain can ask to post for
 * it, as for every company.
 *
 * @throws {Invalid} for a slug, a name or a website that isn't one
 * @throws {Conflict} if the slug or the domain has a company
 */
export async function createCompany(db: Database, typed: NewCompany) {
  const { slug, name, website, domain } = readCompany(typed);
  const at = now();
  return db.transaction(async (tx) => {
    const [created] = await tx
      .insert(companies)
      .values({
        slug,
        name,
        website,
        domain,
        state: "approved",
        createdAt: at,
        // The operator vouches for it. Without this time, it would be deleted after two days.
        confirmedAt: at,
        decidedAt: at,
      })
      .onConflictDoNothing()
      .returning({ id: companies.id, name: companies.name, state: companies.state });
    if (!created) throw new Conflict(await explainConflict(tx, domain));
    await recordAuditEvents(tx, [
      {
        actor: "operator",
        event: "company.add",
        subject: { type: "company", id: created.id },
        after: { name, website },
      },
    ]);
    return created;
  });
}

function readCompany({ slug, ...typed }: NewCompany) {
  const name = cleanLine(typed.name);
  const website = typed.website.trim();
  const domain = findWebsiteDomain(website);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug) || slug.length > maxSlugLength)
    throw new Invalid({ slug: "Write the slug in small letters, digits and hyphens: acme-studio" });
  if (name.length < 2 || name.length > maxLengths.name)
    throw new Invalid({ name: `The company's name must have 2 to ${maxLengths.name} characters.` });
  if (!domain || website.length > maxLengths.website)
    throw new Invalid({
      website: "The website must be the company's own, such as https://example.in",
    });
  return { slug, name, website, domain };
}

async function explainConflict(tx: Database, domain: string): Promise<string> {
  const [other] = await tx
    .select({ slug: companies.slug })
    .from(companies)
    .where(eq(companies.domain, domain));
  return other
    ? `The company at ${domain} exists already. Use --company ${other.slug}.`
    : "A company has this slug already.";
}
