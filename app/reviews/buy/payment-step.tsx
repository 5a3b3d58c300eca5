import { Form, useNavigation } from "react-router";
import { formatRupees } from "../../payments/money.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert } from "../../ui/form/field.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import type { SubmissionProps, Unsettled } from "./submission.ts";

/** What will be paid and what follows from it, and the button that leads to the provider. */
export function PaymentStep({ service, unsettled, phone, errors, values }: SubmissionProps) {
  const price = formatRupees(service.pricePaise);
  const { formData } = useNavigation();
  const failure = errors[""] ?? errors.resume ?? errors.portfolio;
  return (
    <Form method="post" action={`${service.path}?step=payment`} noValidate className="payment">
      {failure && (
        <FormAlert>
          <strong>Payment Failed</strong>
          <p>{failure}</p>
        </FormAlert>
      )}
      {unsettled && <UnsettledNote payment={unsettled} />}
      <dl className="payment-sum">
        <dt>
          {service.label}
          <small>Done within {service.turnaroundHours} hours</small>
        </dt>
        <dd>{price}</dd>
      </dl>
      <p className="payment-final">
        <Icon name="info" />
        Your materials cannot be changed after submission. Please look them over once more above.
      </p>
      <input type="hidden" name="intent" value="pay" />
      <Field
        label="Phone (optional)"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        maxLength={20}
        hint="Passed on to the payment provider with this payment, and kept in your profile for the next one."
        defaultValue={values.phone ?? phone}
        error={errors.phone}
      />
      <SubmitButton
        pendingLabel="Starting payment..."
        pending={formData?.get("intent") === "pay"}
      >{`Pay ${price}`}</SubmitButton>
    </Form>
  );
}

function UnsettledNote({ payment }: { payment: Unsettled }) {
  const { orderId, amount, begunOn, cameBack } = payment;
  const earlier = `Your payment of ${formatRupees(Number(amount) * 100)}, begun on ${begunOn},`;
  return (
    <div className="note">
      <input type="hidden" name="despite" value={orderId} />
      <Icon name="warning" />
      {cameBack ? (
        <p>
          {earlier} is still being confirmed. If it succeeded, the review appears on your profile by
          itself. Paying again buys a second review.
        </p>
      ) : (
        <p>
          {earlier} may still be open in another tab. Please finish only one of the two: each that
          is paid buys a review of its own.
        </p>
      )}
    </div>
  );
}
