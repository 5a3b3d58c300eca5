import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { UploadField } from "../../files/field/upload-field.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Field } from "../../ui/form/field.tsx";
import { DraftFileRow } from "./draft-file.tsx";
import { longestUrl } from "../addresses.ts";
import type { SubmissionProps } from "./submission-steps.tsx";

/** Where a portfolio is given: as a file, as an address, or as both. */
export function PortfolioStep(props: SubmissionProps) {
  const { service, draft } = props;
  const [arrived, setArrived] = useState(false);
  const { portfolio } = draft;
  const field = (
    <UploadField
      purpose="portfolio"
      target={service.type}
      label={portfolio ? "Another portfolio file" : "Your portfolio as a file"}
      next={`${service.path}?step=portfolio`}
      onDone={() => setArrived(true)}
    />
  );
  return (
    <>
      <p className="station-words">Send a file, a link, or both; the reviewer sees all of it.</p>
      {portfolio ? (
        <DraftFileRow
          key={portfolio.address}
          part="portfolio"
          file={portfolio}
          replacement={field}
          takesFocus={arrived}
        />
      ) : (
        field
      )}
      <p className="station-or">
        <span>{portfolio ? "and, if you like" : "or"}</span>
      </p>
      {/* Who was told of another address goes on from that one. */}
      <AddressForm key={props.errors.portfolioUrl && draft.portfolioUrl} {...props} />
    </>
  );
}

function AddressForm({ service, draft, errors, values }: SubmissionProps) {
  const { formData } = useNavigation();
  // Not what the draft becomes while the field stays as it is.
  const [seen] = useState(values.seen ?? draft.portfolioUrl ?? "");
  return (
    <Form method="post" action={`${service.path}?step=portfolio`} noValidate preventScrollReset>
      <input type="hidden" name="intent" value="save-portfolio" />
      <input type="hidden" name="seen" value={seen} />
      <Field
        label="Portfolio URL"
        name="portfolioUrl"
        type="url"
        inputMode="url"
        autoComplete="url"
        maxLength={longestUrl}
        placeholder="https://"
        hint="The page must open without a password."
        defaultValue={values.portfolioUrl ?? draft.portfolioUrl ?? ""}
        error={errors.portfolioUrl ?? errors.portfolio}
      />
      <p className="station-onward">
        <SubmitButton
          pendingLabel="Saving..."
          pending={formData?.get("intent") === "save-portfolio"}
        >
          Continue to payment
        </SubmitButton>
      </p>
    </Form>
  );
}
