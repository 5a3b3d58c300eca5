import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { UploadField, useRemovals } from "../../files/upload-ui/upload-field.tsx";
import { UploadGuard } from "../../files/upload-ui/upload-guard.tsx";
import { useIsUploading, useProblemToast } from "../../files/upload-ui/use-uploads.ts";
import { formatBytes } from "../../files/rules.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button, ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { useTypedInTab } from "../../ui/form/typed-in-tab.ts";
import { isWebAddress, maxUrlLength } from "../../reviews/addresses.ts";
import { DraftPages } from "./draft-pages.tsx";
import type { Service } from "../../reviews/rules.ts";
import { Link } from "../../ui/link.tsx";
import {
  type DraftFile,
  type DraftPreview,
  findCopyProblem,
  getDraftTarget,
  type Part,
  type SubmissionProps,
} from "./submission.ts";
import * as styles from "./submission.module.css";
import * as paymentStyles from "./payment.module.css";
import * as portfolioLookStyles from "./portfolio-look.module.css";

/** The step where a resume is uploaded and shown. */
export function ResumeStep({
  service,
  draft: { resume },
  previews,
  errors,
  onward,
}: SubmissionProps & { onward: OwnPath }) {
  const [arrived, setArrived] = useState(false);
  const removals = useRemovals(resume ? 1 : 0);
  const field = (
    <UploadField
      purpose="resume"
      target={getDraftTarget(service)}
      label={resume ? "Another resume" : "Your resume"}
      next={`${service.path}?step=resume`}
      error={errors.resume}
      onDone={() => setArrived(true)}
      removals={removals}
    />
  );
  // Rendered outside the collapsible part, which would hide its question.
  const guard = <UploadGuard />;
  if (!resume) {
    return (
      <>
        {field}
        {guard}
      </>
    );
  }
  return (
    <>
      {guard}
      <DraftFileRow
        key={resume.address}
        service={service}
        part="resume"
        file={resume}
        preview={previews.find(({ part }) => part === "resume")}
        replacement={field}
        takesFocus={arrived}
      />
      <p className={styles.onward}>
        <OnwardLink to={onward} isDisabled={findCopyProblem([resume.copy]) !== null}>
          {service.needs.portfolio ? "Continue to portfolio" : "Continue to payment"}
        </OnwardLink>
      </p>
    </>
  );
}

/** The link to the next step, disabled while a replacement file uploads. */
function OnwardLink({
  to,
  isDisabled,
  children,
}: {
  to: OwnPath;
  isDisabled: boolean;
  children: ReactNode;
}) {
  return useIsUploading() || isDisabled ? (
    <Button disabled>{children}</Button>
  ) : (
    <ButtonLink to={to} preventScrollReset>
      {children}
    </ButtonLink>
  );
}

/** The step for a portfolio: a file, an address, or both. */
export function PortfolioStep(props: SubmissionProps) {
  const { service, draft } = props;
  const [arrived, setArrived] = useState(false);
  const { portfolio } = draft;
  const removals = useRemovals(portfolio ? 1 : 0);
  const field = (
    <UploadField
      purpose="portfolio"
      target={getDraftTarget(service)}
      label={portfolio ? "Another portfolio file" : "Your portfolio as a file"}
      next={`${service.path}?step=portfolio`}
      onDone={() => setArrived(true)}
      removals={removals}
    />
  );
  return (
    <>
      <UploadGuard />
      <p className={styles.words}>
        Send a file, a link or both. Your reviewer sees everything you send.
      </p>
      {portfolio ? (
        <DraftFileRow
          key={portfolio.address}
          service={service}
          part="portfolio"
          file={portfolio}
          preview={props.previews.find(({ part }) => part === "portfolio")}
          replacement={field}
          takesFocus={arrived}
        />
      ) : (
        field
      )}
      <p className={styles.or}>
        <span>{portfolio ? "and, optionally" : "or"}</span>
      </p>
      <p className={styles.words}>
        You can&apos;t black out parts of a link. Send those pages as a PDF or image instead.
      </p>
      {/* After a conflict the form restarts from the current address. */}
      <AddressForm key={props.errors.portfolioUrl && draft.portfolioUrl} {...props} />
      <PortfolioLook service={service} draft={draft} step="portfolio" />
    </>
  );
}

function AddressForm({ service, draft, errors, values }: SubmissionProps) {
  const { formData } = useNavigation();
  const isUploading = useIsUploading();
  // Set once, since the draft can change while the field doesn't.
  const [seen] = useState(values.seen ?? draft.portfolioUrl ?? "");
  return (
    <Form
      method="post"
      action={`${service.path}?step=portfolio` satisfies OwnPath}
      noValidate
      preventScrollReset
    >
      <input type="hidden" name="intent" value="save-portfolio" />
      <input type="hidden" name="seen" value={seen} />
      <Field
        label="Portfolio URL"
        name="portfolioUrl"
        type="url"
        inputMode="url"
        autoComplete="url"
        maxLength={maxUrlLength}
        placeholder="https://"
        hint="The page must open without a password."
        defaultValue={values.portfolioUrl ?? draft.portfolioUrl ?? ""}
        error={errors.portfolioUrl ?? errors.portfolio}
        {...useTypedInTab(`${getDraftTarget(service)} portfolio over ${seen}`)}
      />
      <p className={styles.onward}>
        <SubmitButton
          pendingLabel="Saving..."
          pending={formData?.get("intent") === "save-portfolio"}
          disabled={isUploading}
        >
          Continue to payment
        </SubmitButton>
      </p>
    </Form>
  );
}

/** An uploaded file, with controls to replace or remove it. */
function DraftFileRow({
  service,
  part,
  file,
  preview,
  replacement,
  takesFocus,
}: {
  service: Service;
  part: Part;
  file: DraftFile;
  preview: DraftPreview | undefined;
  replacement: ReactNode;
  /** True when it has just replaced the field that had the focus. */
  takesFocus: boolean;
}) {
  const [isInitiallyOpen] = useState(useProblemToast(part) !== null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // If the person has moved the focus in the meantime, it stays.
    if (takesFocus && document.activeElement === document.body) link.current?.focus();
  }, [takesFocus]);
  const { formData } = useNavigation();
  const removal = `remove-${part}`;
  return (
    <div className={paymentStyles.draftFile}>
      <div className={paymentStyles.draftFileRow}>
        <Icon name="file" />
        <p>
          <a ref={link} href={file.address} target="_blank" rel="noreferrer">
            {file.name}
          </a>
          <span className="tabular">{formatBytes(file.size)}, uploaded</span>
        </p>
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value={removal} />
          <SubmitButton
            variant="ghost"
            size="sm"
            pendingLabel="Removing..."
            pending={formData?.get("intent") === removal}
            aria-label={`Remove ${file.name}`}
          >
            Remove
          </SubmitButton>
        </Form>
      </div>
      {isWordFile(file.name) && (
        <p className={paymentStyles.draftFileHint}>
          Upload a PDF to get remarks pinned to the page, or to black out parts. We review a Word
          file as one document.
        </p>
      )}
      {preview && <DraftPages preview={preview} />}
      {preview && <BlackOutNote service={service} part={part} copy={file.copy} />}
      <details open={isInitiallyOpen}>
        <summary>Replace the file</summary>
        {replacement}
      </details>
    </div>
  );
}

/** Says whether parts of a file are blacked out, and leads to the screen that does it. */
function BlackOutNote({
  service,
  part,
  copy,
}: {
  service: Service;
  part: Part;
  copy: DraftFile["copy"];
}) {
  useComingPages(copy === "coming");
  return (
    <p className={paymentStyles.draftFileHint} role="status">
      {copyNotes[copy]}{" "}
      <Link to={`${service.path}/black-out?part=${part}` as OwnPath}>
        {copy === "none" ? "Black out parts" : "Change the boxes"}
      </Link>
      {copy === "coming" && <noscript> Reload this page to see the copy.</noscript>}
    </p>
  );
}

const copyNotes: Record<DraftFile["copy"], string> = {
  none: "Is something in it confidential? The reviewer can see a copy without it.",
  coming: "We're making your blacked-out copy…",
  failed: "We couldn't make your blacked-out copy.",
  made: "The reviewer sees this copy. What you blacked out is not in it. The copy has no text, so we don't check how software reads it.",
};

/** Checks for a Word file, which cannot be rendered as pages but can be saved as a PDF. */
function isWordFile(name: string): boolean {
  return /\.docx?$/i.test(name);
}

/**
 * Asks customers to check that their portfolio opens without signing in, and to confirm it. It does not block the
 * payment.
 */
export function PortfolioLook({
  service,
  draft: { portfolioUrl, isPortfolioSeen },
  step,
}: Pick<SubmissionProps, "service" | "draft" | "step">) {
  if (!portfolioUrl || !isWebAddress(portfolioUrl)) return null;
  const advice = findSharingAdvice(portfolioUrl);
  return (
    <section className={portfolioLookStyles.portfolioLook}>
      <h3>Can anyone open this link?</h3>
      <p>Open the link in a private window. That&apos;s what your reviewer will see.</p>
      {advice && <p>{advice}</p>}
      <div className={portfolioLookStyles.ways}>
        <a href={portfolioUrl} target="_blank" rel="noopener noreferrer">
          <Icon name="external" />
          Open your portfolio<span className="sr-only"> (in a new tab)</span>
        </a>
        <Form
          method="post"
          action={`${service.path}?step=${step}` satisfies OwnPath}
          preventScrollReset
        >
          <input type="hidden" name="address" value={portfolioUrl} />
          <input type="hidden" name="opens" value={isPortfolioSeen ? "no" : "yes"} />
          <SubmitButton
            intent="look-at-portfolio"
            variant="ghost"
            size="sm"
            pendingLabel="Saving..."
            aria-pressed={isPortfolioSeen}
          >
            <span className={portfolioLookStyles.tick} aria-hidden="true">
              {isPortfolioSeen && <Icon name="check" />}
            </span>
            It opens without signing in
          </SubmitButton>
        </Form>
      </div>
    </section>
  );
}

/** Advice on the sharing settings of portfolio hosts. */
const settings: { hosts: string[]; advice: string }[] = [
  {
    hosts: ["behance.net"],
    advice:
      "On Behance, open the project's settings. Check that it is published and visible to everyone.",
  },
  {
    hosts: ["figma.com"],
    advice:
      "In Figma, press Share and let anyone with the link view the file. For a prototype, send the prototype's own link.",
  },
  {
    hosts: ["notion.so", "notion.site", "notion.com"],
    advice: "In Notion, press Share, then Publish. Send the link to the published page.",
  },
  {
    hosts: ["drive.google.com", "docs.google.com", "sites.google.com"],
    advice: "In Google Drive, press Share and set General access to “Anyone with the link”.",
  },
];

/** Returns the advice for the host of an address; null for an unknown host. The address is never fetched. */
export function findSharingAdvice(address: string): string | null {
  const { hostname } = new URL(address);
  const site = settings.find(({ hosts }) =>
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)),
  );
  return site?.advice ?? null;
}
