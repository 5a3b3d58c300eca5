import { createHash } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../../accounts/actor.server.ts";
import { permissions } from "../../accounts/permissions.server.ts";
import type { DocumentProcess } from "../../files/inspect/document-process.server.ts";
import { detectImageKind } from "../../files/inspect/image.server.ts";
import { fileProblems } from "../../files/finding.ts";
import { extractExtension, formatBytes } from "../../files/rules.ts";
import type { Database } from "../../platform/database.server.ts";
import { Invalid } from "../../platform/errors.ts";
import { isMemberOf } from "../own-companies.server.ts";
import { logoSide, maxLogoBytes, maxUploadedLogoBytes } from "../rules.ts";
import { companies, companyChanges, companyLogos } from "../tables.server.ts";

const extensions = [null, "png", "jpg", "jpeg", "webp"];
const wrongType = "Choose a PNG, JPEG or WebP image.";

/**
 * Renders the logo that a person chose, in a process of its own.
 *
 * @param chosen the form's field
 * @returns null without a file
 * @throws {Invalid} for the field "logo", for what is no image, or one that is too large, animated or damaged
 */
export async function renderLogo(
  documents: Pick<DocumentProcess, "renderSquare">,
  actor: Pick<Actor, "id">,
  chosen: FormDataEntryValue | null,
): Promise<Buffer | null> {
  if (chosen === null || typeof chosen === "string") return null;
  if (chosen.size === 0) throw new Invalid({ logo: fileProblems.empty });
  if (chosen.size > maxUploadedLogoBytes)
    throw new Invalid({ logo: `This file is larger than ${formatBytes(maxUploadedLogoBytes)}.` });
  const bytes = Buffer.from(await chosen.arrayBuffer());
  const kind = detectImageKind(bytes);
  if (kind === null || kind === "gif" || !extensions.includes(extractExtension(chosen.name)))
    throw new Invalid({ logo: wrongType });
  const job = { bytes, side: logoSide, maxBytes: maxLogoBytes };
  const answer = await documents.renderSquare(job, actor.id);
  if ("problem" in answer) throw new Invalid({ logo: answer.problem });
  return Buffer.from(answer.picture);
}

/** Stores a logo of a company. The company is locked. @returns its hash */
export async function saveLogo(tx: Database, companyId: string, picture: Buffer): Promise<string> {
  const hash = createHash("sha256").update(picture).digest("hex").slice(0, 32);
  await tx.insert(companyLogos).values({ companyId, hash, picture }).onConflictDoNothing();
  return hash;
}

/** Deletes the logos that neither a company nor the change of its page has. The company is locked. */
export async function deleteUnusedLogos(tx: Database, companyId: string): Promise<void> {
  await tx.delete(companyLogos).where(
    and(
      eq(companyLogos.companyId, companyId),
      sql`not exists (select 1 from ${companies}
        where ${companies.id} = ${companyLogos.companyId} and ${companies.logoHash} = ${companyLogos.hash})`,
      sql`not exists (select 1 from ${companyChanges}
        where ${companyChanges.companyId} = ${companyLogos.companyId}
          and ${companyChanges.logoHash} = ${companyLogos.hash})`,
    ),
  );
}

type LogoAddress = { slug: string; hash: string };

/** Finds the logo of a company's public page; null for any other. */
export async function findPublicLogo(db: Database, address: LogoAddress): Promise<Buffer | null> {
  return findLogo(
    db,
    address,
    and(eq(companies.state, "approved"), eq(companies.logoHash, companyLogos.hash)),
  );
}

/** Finds a logo that the company's members and the admins who decide about it see, published or not. */
export async function findOwnLogo(
  db: Database,
  actor: Actor,
  address: LogoAddress,
): Promise<Buffer | null> {
  const mayDecide = permissions["company.approve"](actor);
  return findLogo(db, address, mayDecide ? undefined : isMemberOf(actor, companies.id));
}

async function findLogo(db: Database, { slug, hash }: LogoAddress, isVisible: SQL | undefined) {
  const [logo] = await db
    .select({ picture: companyLogos.picture })
    .from(companyLogos)
    .innerJoin(companies, eq(companies.id, companyLogos.companyId))
    .where(and(eq(companies.slug, slug), eq(companyLogos.hash, hash), isVisible));
  return logo?.picture ?? null;
}
