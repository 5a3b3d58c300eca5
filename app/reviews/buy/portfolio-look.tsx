import { Form } from "react-router";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { isWebAddress } from "../addresses.ts";
import { sharingAdvice } from "./sharing-advice.ts";
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
