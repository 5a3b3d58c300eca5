import { Icon } from "../../ui/brand/icon.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";

/** Leads to a review as one file: the pages with their remarks. It is made while the browser waits. */
export function DownloadWithRemarks({ reviewId }: { reviewId: string }) {
  return (
    <ButtonLink to={`/service-review/${reviewId}/annotated.pdf`} variant="secondary" reloadDocument>
      <Icon name="download" />
      PDF with remarks
    </ButtonLink>
  );
}
