import { useState } from "react";
import { UploadField } from "../../files/field/upload-field.tsx";
import { ButtonLink } from "../../ui/form/button.tsx";
import { DraftFileRow } from "./draft-file.tsx";
import type { SubmissionProps } from "./submission-steps.tsx";

/** Where a resume is uploaded, and seen once it is there. */
export function ResumeStep({
  service,
  draft: { resume },
  errors,
  onward,
}: SubmissionProps & { onward: string }) {
  const [arrived, setArrived] = useState(false);
  const field = (
    <UploadField
      purpose="resume"
      target={service.type}
      label={resume ? "Another resume" : "Your resume"}
      next={`${service.path}?step=resume`}
      error={errors.resume}
      onDone={() => setArrived(true)}
    />
  );
  if (!resume) return field;
  return (
    <>
      <DraftFileRow
        key={resume.address}
        part="resume"
        file={resume}
        replacement={field}
        takesFocus={arrived}
      />
      <p className="station-onward">
        <ButtonLink to={onward} preventScrollReset>
          {service.needs.portfolio ? "Continue to portfolio" : "Continue to payment"}
        </ButtonLink>
      </p>
    </>
  );
}
