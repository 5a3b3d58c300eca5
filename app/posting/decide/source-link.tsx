import { type ImportProvider, importProviders } from "../rules.ts";

/** Names who sent a listing: a member of the company, or the import. */
export function formatSender(
  importedFrom: { provider: ImportProvider } | null,
  name: string | null,
): string {
  if (importedFrom && name === null) return `${importProviders[importedFrom.provider]}, imported`;
  return name?.trim() || "Closed account";
}

/** Links to the page of a job at its source, for staff. */
export function SourceLink({ url }: { url: string }) {
  return (
    <a className="block" href={url} target="_blank" rel="noopener noreferrer nofollow">
      Open its source
    </a>
  );
}
