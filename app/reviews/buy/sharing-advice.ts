/** Whether strangers see what an address of a portfolio leads to; for the browser and the server alike. */

/** Where those who keep portfolios have the setting that lets strangers in, by their hosts. */
const settings: { hosts: string[]; advice: string }[] = [
  {
    hosts: ["behance.net"],
    advice:
      "On Behance, open the project's settings and see that it is published, and visible to everyone.",
  },
  {
    hosts: ["figma.com"],
    advice:
      "In Figma, press Share and let anyone with the link view the file. Of a prototype send the prototype's own link.",
  },
  {
    hosts: ["notion.so", "notion.site", "notion.com"],
    advice: "In Notion, press Share, then Publish, and send the link of the published page.",
  },
  {
    hosts: ["drive.google.com", "docs.google.com", "sites.google.com"],
    advice: "At Google, press Share and set the general access to “Anyone with the link”.",
  },
];

/** Advice for the host of an address; null for one that is not known. The address is never fetched. */
export function sharingAdvice(address: string): string | null {
  const { hostname } = new URL(address);
  const known = settings.find(({ hosts }) =>
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)),
  );
  return known?.advice ?? null;
}
