import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { isWebAddress } from "../addresses.ts";
import type { SubmissionProps } from "./submission.ts";

/**
 * Asks a customer to look at the saved address of their portfolio as a stranger would, with a tick for having done
 * so. It keeps nobody from paying.
 */
export function PortfolioLook({
  service,
  draft: { portfolioUrl, isPortfolioSeen },
  step,
}: Pick<SubmissionProps, "service" | "draft" | "step">) {
  if (!portfolioUrl || !isWebAddress(portfolioUrl)) return null;
  const advice = sharingAdvice(portfolioUrl);
  return (
    <section className="portfolio-look">
      <h3>Opens for somebody who is not signed in?</h3>
      <p>
        Your reviewer sees what a stranger sees. Look in a private window: there you are one
        yourself.
      </p>
      {advice && <p>{advice}</p>}
      <div className="portfolio-look-ways">
        <a href={portfolioUrl} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          Open your portfolio<span className="sr-only"> (in a new tab)</span>
        </a>
        <Form method="post" action={`${service.path}?step=${step}`} preventScrollReset>
          <input type="hidden" name="address" value={portfolioUrl} />
          <input type="hidden" name="opens" value={isPortfolioSeen ? "no" : "yes"} />
          <SubmitButton
            name="intent"
            value="look-at-portfolio"
            variant="ghost"
            size="sm"
            pendingLabel="Saving..."
            aria-pressed={isPortfolioSeen}
          >
            <span className="portfolio-look-tick" aria-hidden="true">
              {isPortfolioSeen && <Icon name="check" />}
            </span>
            A stranger can see it
          </SubmitButton>
        </Form>
      </div>
    </section>
  );
}

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
