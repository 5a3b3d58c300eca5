import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { formatBytes } from "../../files/rules.ts";
import { useProblemToast } from "../../files/field/told-problem.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Icon } from "../../ui/brand/icon.tsx";
import type { DraftFile, Part } from "./submission.ts";

/** A file that has been uploaded: what it is, and the ways to replace or remove it. */
export function DraftFileRow({
  part,
  file,
  replacement,
  takesFocus,
}: {
  part: Part;
  file: DraftFile;
  /** The field that uploads another file in its place. */
  replacement: ReactNode;
  /** Whether it has just taken the place of the field that had the focus. */
  takesFocus: boolean;
}) {
  const [beginsOpen] = useState(useProblemToast(part) !== null);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takesFocus) link.current?.focus();
  }, [takesFocus]);
  const { formData } = useNavigation();
  const removal = `remove-${part}`;
  return (
    <div className="draft-file">
      <div className="draft-file-row">
        <Icon name="file" />
        <p>
          <a ref={link} href={file.address} target="_blank" rel="noreferrer">
            {file.name}
          </a>
          <span className="tabular-nums">{formatBytes(file.size)}, uploaded</span>
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
      <details open={beginsOpen}>
        <summary>Replace the file</summary>
        {replacement}
      </details>
    </div>
  );
}
