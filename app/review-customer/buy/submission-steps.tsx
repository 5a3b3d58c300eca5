import {
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { Form, useLocation, useNavigation, useSubmit } from "react-router";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { formatBytes } from "../../files/rules.ts";
import { formatRupees } from "../../payments/money.ts";
import { PlaceFields } from "../../payments/tax/place-fields.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field, FormAlert } from "../../ui/form/field.tsx";
import { useTypedInTab } from "../../ui/form/typed-in-tab.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { BriefFields, SaveBrief, useSavedBrief } from "../../reviews/brief/brief-fields.tsx";
import { PortfolioLook, PortfolioStep, ResumeStep } from "./material-steps.tsx";
import {
  type Draft,
  findCopyProblem,
  getDraftTarget,
  isPartMissing,
  type Step,
  listSubmissionSteps,
  getStepToShow,
  type SubmissionProps,
  type Unsettled,
} from "./submission.ts";
import * as styles from "./submission.module.css";
import * as paymentStyles from "./payment.module.css";
import * as noteStyles from "../../ui/layout/note.module.css";

const titles: Record<Step, string> = {
  resume: "Resume",
  portfolio: "Portfolio",
  payment: "Payment",
};

/** The steps of a submission from top to bottom. One is open, and completed ones can be reopened. */
export function SubmissionSteps(props: SubmissionProps) {
  const { service, draft } = props;
  const open = useOpenStep(props);
  const steps = listSubmissionSteps(service);
  const heading = useFocusOnChange(open);
  return (
    <ol className={styles.stations}>
      {steps.map((step, index) => {
        const state = getStepState(step, steps.indexOf(open) - index, draft);
        return (
          <li key={step} data-state={state} aria-current={state === "open" ? "step" : undefined}>
            <span className={styles.mark} aria-hidden="true">
              {state === "done" ? <Icon name="check" /> : index + 1}
            </span>
            <div className={styles.body}>
              <h2 ref={state === "open" ? heading : undefined} tabIndex={-1}>
                <span className="sr-only">{`Step ${index + 1} of ${steps.length}: `}</span>
                {titles[step]}
              </h2>
              {state === "open" && <OpenStep {...props} step={open} next={steps[index + 1]} />}
              {state === "done" && <DoneStep {...props} step={open} behind={step} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Returns the state of a step. @param behind its distance to the open step; 0 for the open step */
function getStepState(step: Step, behind: number, draft: Draft): "open" | "done" | "ahead" {
  if (behind === 0) return "open";
  return step !== "payment" && !isPartMissing(step, draft) ? "done" : "ahead";
}

function OpenStep({ next, ...props }: SubmissionProps & { next: Step | undefined }): ReactNode {
  const onward = `${props.service.path}?step=${next}` as const;
  if (props.step === "resume") return <ResumeStep {...props} onward={onward} />;
  if (props.step === "portfolio") return <PortfolioStep {...props} />;
  return <PaymentStep {...props} />;
}

/** The price, the consequences, and the button that leads to the provider. */
function PaymentStep({
  service,
  draft,
  unsettled,
  brief,
  phone,
  place,
  errors,
  values,
}: SubmissionProps) {
  const address = `${service.path}?step=payment` as const;
  const price = formatRupees(service.pricePaise);
  const { formData } = useNavigation();
  const submit = useSubmit();
  const [isWaiting, setIsWaiting] = useState(false);
  const savedBrief = useSavedBrief(getDraftTarget(service), brief.typed);
  const failure = errors[""] ?? errors.resume ?? errors.portfolio;
  const copies = [draft.resume?.copy, draft.portfolio?.copy];
  const unfinished = findCopyProblem(copies);
  useComingPages(copies.includes("coming"));

  /** Waits until the brief is saved, since the payment would otherwise use an older one. */
  async function pay(event: SubmitEvent<HTMLFormElement>) {
    if (!savedBrief.hasUnsaved()) return;
    event.preventDefault();
    if (isWaiting) return;
    const form = event.currentTarget;
    setIsWaiting(true);
    await savedBrief.flush();
    setIsWaiting(false);
    await submit(form);
  }

  return (
    <Form method="post" action={address} noValidate className={paymentStyles.form} onSubmit={pay}>
      {failure && (
        <FormAlert>
          <strong>Payment Failed</strong>
          <p>{failure}</p>
        </FormAlert>
      )}
      {unsettled && <UnsettledNote payment={unsettled} />}
      {unfinished && (
        <div className={noteStyles.note} role="status">
          <Icon name="info" />
          <p>{unfinished}</p>
        </div>
      )}
      <dl className={paymentStyles.sum}>
        <dt>
          {service.label}
          <small>Done within {service.turnaroundHours} hours</small>
        </dt>
        <dd>{price}</dd>
      </dl>
      <p className={paymentStyles.final}>
        <Icon name="info" />
        You can&apos;t change your materials after you pay. Please check them above.
      </p>
      <input type="hidden" name="intent" value="pay" />
      <input type="hidden" name="version" value={draft.version} />
      <input type="hidden" name="price" value={service.pricePaise} />
      <BriefFields
        brief={brief}
        saved={savedBrief}
        address={address}
        errors={errors}
        values={values}
      />
      <Field
        label="Phone (optional)"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        maxLength={20}
        hint="We share this with PayU and save it for your next payment."
        defaultValue={values.phone ?? phone}
        error={errors.phone}
        {...useTypedInTab(`phone over ${phone}`)}
      />
      {place && <PlaceFields offered={place} values={values} errors={errors} />}
      <SubmitButton
        pendingLabel="Starting payment..."
        pending={isWaiting || formData?.get("intent") === "pay"}
      >{`Pay ${price}`}</SubmitButton>
      <SaveBrief />
    </Form>
  );
}

function UnsettledNote({ payment }: { payment: Unsettled }) {
  const { orderId, amount, startedOn, hasProviderCallback } = payment;
  const earlier = `Your payment of ${formatRupees(Number(amount) * 100)}, started on ${startedOn},`;
  return (
    <div className={noteStyles.note}>
      <input type="hidden" name="despite" value={orderId} />
      <Icon name="warning" />
      {hasProviderCallback ? (
        <p>
          {earlier} is still being confirmed. If it succeeded, the review will appear on your
          profile. Paying again buys a second review.
        </p>
      ) : (
        <p>
          {earlier} may still be open in another tab. Please finish only one of them. Each payment
          buys a separate review.
        </p>
      )}
    </div>
  );
}

function DoneStep(props: SubmissionProps & { behind: Step }) {
  const { behind, service, draft, step } = props;
  return (
    <>
      <DoneParts service={service} draft={draft} step={behind} />
      {behind === "portfolio" && <PortfolioLook service={service} draft={draft} step={step} />}
    </>
  );
}

function DoneParts({
  step,
  service,
  draft,
}: Pick<SubmissionProps, "service" | "draft"> & { step: Step }) {
  const file = step === "resume" ? draft.resume : draft.portfolio;
  const address = step === "portfolio" ? draft.portfolioUrl : null;
  return (
    <div className={styles.done}>
      <ul>
        {file && (
          <li>
            <a href={file.address} target="_blank" rel="noreferrer">
              {file.name}
            </a>{" "}
            {formatBytes(file.size)}
          </li>
        )}
        {address && (
          <li>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </li>
        )}
      </ul>
      <Link to={`${service.path}?step=${step}`} preventScrollReset>
        Change<span className="sr-only"> {titles[step].toLowerCase()}</span>
      </Link>
    </div>
  );
}

/**
 * Returns the open step. Each history entry stays at the step it opened with: an uploaded file completes a step, but
 * the customer decides when to continue, and Back returns to the step they left.
 */
function useOpenStep({ service, draft, step }: SubmissionProps): Step {
  const { key } = useLocation();
  const [opened, setOpened] = useState<Record<string, Step>>({ [key]: step });
  if (!opened[key]) setOpened({ ...opened, [key]: step });
  return getStepToShow(service, draft, opened[key] ?? step);
}

/** Moves the focus to the heading of the next step. */
function useFocusOnChange(open: Step): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const previous = useRef(open);
  useEffect(() => {
    if (previous.current === open) return;
    previous.current = open;
    heading.current?.focus();
  }, [open]);
  return heading;
}
