import { Link } from "react-router";
import { formatRupees } from "../../platform/money.ts";
import type { Service } from "../rules.ts";

/** Beside the steps: what is bought, and what happens next. */
export function SubmissionRail({ service }: { service: Service }) {
  const price = formatRupees(service.pricePaise);
  return (
    <div className="submission-rail">
      <p className="rail-price">
        {price}
        <small>Done within {service.turnaroundHours} hours</small>
      </p>
      <h2>What happens next</h2>
      <ol className="way way-rail">
        <li>You pay {price} on the page of PayU, our payment provider, and come back here.</li>
        <li>
          A reviewer from the industry reads your work
          {service.startPriority > 0 && ", with priority before single reviews"}.
        </li>
        <li>
          Within {service.turnaroundHours} hours you find the review on{" "}
          <Link to="/profile">your profile</Link>.
        </li>
      </ol>
      <p className="rail-note">
        Only you, your reviewer and our administrators can open your files. What you have gathered
        here is kept until you pay.
      </p>
    </div>
  );
}
