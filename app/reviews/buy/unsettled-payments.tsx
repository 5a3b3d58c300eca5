import { Link } from "react-router";
import { formatRupees } from "../../platform/money.ts";
import { Icon } from "../../ui/brand/icon.tsx";

type Unsettled = { orderId: string; service: string; amount: string; begunOn: string };

/** Says of each payment that may still succeed that its review is yet to come. */
export function UnsettledPayments({ payments }: { payments: Unsettled[] }) {
  if (payments.length === 0) return null;
  return (
    <ul className="notes">
      {payments.map(({ orderId, service, amount, begunOn }) => (
        <li key={orderId} className="note">
          <Icon name="info" />
          <p>
            {service}: your payment of {formatRupees(Number(amount) * 100)}, begun on {begunOn}, is
            still being confirmed. The review appears here by itself once it is.{" "}
            <Link to={`/payment-success?txnId=${orderId}`}>Look again</Link>
          </p>
        </li>
      ))}
    </ul>
  );
}
