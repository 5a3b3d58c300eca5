import { type ComponentProps, useCallback, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { Toast } from "../../platform/app-context.server.ts";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { DrawingSvg, EmptyState, type Drawing } from "../../ui/feedback/empty-state.tsx";
import { FormDialog } from "../../ui/feedback/form-dialog.tsx";
import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { peopleDrawing } from "../../ui/feedback/people-drawing.tsx";
import { ProgressBar } from "../../ui/feedback/progress.tsx";
import { Spinner } from "../../ui/feedback/spinner.tsx";
import { hideToast, showToast } from "../../ui/feedback/toasts.tsx";
import { Tooltip } from "../../ui/feedback/tooltip.tsx";
import { Button, ButtonLink } from "../../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField } from "../../ui/form/field.tsx";
import { hindiText, longText, longWord, type Specimen } from "./specimen.tsx";

const drawings = Object.keys({
  map: 1,
  search: 1,
  inbox: 1,
  table: 1,
  lost: 1,
} satisfies Record<Drawing, 1>) as Drawing[];

const toasts: Toast[] = [
  { kind: "success", title: "Changes saved" },
  { kind: "info", title: "A review was assigned to you", description: hindiText },
  { kind: "warning", title: "Please wait, changes are being saved..." },
  { kind: "error", title: "We couldn't save that", description: `${longText}, ${longWord}` },
];

export const feedbackSpecimens: readonly Specimen[] = [
  {
    name: "Spinner",
    file: "feedback/spinner.tsx",
    states: [
      { label: "default", show: () => <Spinner /> },
      { label: "label", show: () => <Spinner label={hindiText} /> },
    ],
  },
  {
    name: "ProgressBar",
    file: "feedback/progress.tsx",
    width: "large",
    states: [
      {
        label: "value, detail",
        show: () => <ProgressBar label="Uploading portfolio.pdf" value={40} detail="3.2 of 8 MB" />,
      },
      { label: "value={0}", show: () => <ProgressBar label="Uploading" value={0} /> },
      { label: "value={100}", show: () => <ProgressBar label="Uploaded" value={100} /> },
      { label: "without a value", show: () => <ProgressBar label="Preparing pages" /> },
      {
        label: "long text",
        show: () => <ProgressBar label={longText} value={60} detail="3.2 of 8 MB, 400 KB/s" />,
      },
    ],
  },
  {
    name: "EmptyState",
    file: "feedback/empty-state.tsx",
    width: "large",
    states: [
      {
        label: "text and action",
        show: () => (
          <EmptyState
            level={4}
            drawing="search"
            title="No jobs match your search"
            action={<Button variant="secondary">Clear filters</Button>}
          >
            Try another word, or fewer filters.
          </EmptyState>
        ),
      },
      {
        label: "long title, Hindi",
        show: () => (
          <EmptyState level={4} drawing="inbox" title={longText}>
            {hindiText}
          </EmptyState>
        ),
      },
    ],
  },
  {
    name: "DrawingSvg",
    file: "feedback/empty-state.tsx",
    width: "small",
    states: [
      ...drawings.map((name) => ({ label: name, show: () => <DrawingSvg name={name} /> })),
      { label: "people-drawing.tsx", show: () => <DrawingSvg name={peopleDrawing} /> },
    ],
  },
  {
    name: "Tooltip",
    file: "feedback/tooltip.tsx",
    width: "small",
    note: "Rest the pointer on a button, or move the focus to it. Touch screens never show it.",
    states: [
      {
        label: "words",
        show: () => (
          <Tooltip words="Copies the link">
            <Button variant="secondary">Copy</Button>
          </Tooltip>
        ),
      },
      {
        label: "keys",
        show: () => (
          <Tooltip words="Next remark" keys="N">
            <Button variant="secondary">Next</Button>
          </Tooltip>
        ),
      },
      {
        label: "long text, Hindi",
        show: () => (
          <Tooltip words={`${longText}. ${hindiText}`}>
            <Button variant="secondary">About</Button>
          </Tooltip>
        ),
      },
    ],
  },
  {
    name: "Toasts",
    file: "feedback/toasts.tsx",
    width: "small",
    note: "The frame of every page renders the corner. Hovering, focusing or F8 spreads the toasts out.",
    isSingle: true,
    states: [
      ...toasts.map((toast) => ({
        label: toast.kind,
        show: () => (
          <Button variant="secondary" onClick={() => showToast(toast)}>
            Show {toast.kind}
          </Button>
        ),
      })),
      {
        label: "action",
        show: () => (
          <Button variant="secondary" onClick={showToastWithAction}>
            Show action
          </Button>
        ),
      },
    ],
  },
  {
    name: "Dialog",
    file: "feedback/dialog.tsx",
    width: "small",
    note: "Escape, its buttons and a press outside close it.",
    states: [
      {
        label: 'width="narrow"',
        show: () => (
          <DialogButton title="Archive this listing?" submit={<Button>Archive listing</Button>}>
            <p>The board no longer shows it. You can unarchive it later.</p>
          </DialogButton>
        ),
      },
      {
        label: 'width="wide"',
        show: () => (
          <DialogButton
            title="Edit this listing"
            width="wide"
            submit={<Button>Save changes</Button>}
          >
            <Field label="Title" name="title" />
            <TextAreaField label="Summary" name="summary" />
          </DialogButton>
        ),
      },
      {
        label: "variant danger",
        show: () => (
          <DialogButton
            title="Delete your review?"
            submit={<Button variant="danger">Delete review</Button>}
            leave="Keep review"
          >
            <p>Nobody can restore it.</p>
          </DialogButton>
        ),
      },
      {
        label: "isSending",
        show: () => (
          <DialogButton title="Saving" isBusyFor={3} submit={<Button disabled>Saving...</Button>}>
            <p>It stays open until the server has answered. This one stays for three presses.</p>
          </DialogButton>
        ),
      },
      {
        label: "long text, Hindi",
        show: () => (
          <DialogButton title={`${longText} · ${hindiText}`} leave="Close">
            {Array.from({ length: 12 }, (_, index) => (
              <p key={index}>
                {longText}, {longWord}
              </p>
            ))}
          </DialogButton>
        ),
      },
    ],
  },
  {
    name: "FormDialog",
    file: "feedback/form-dialog.tsx",
    note: "An address opens it, so it is a card in the page until scripts run. Send it empty to see the error.",
    isSingle: true,
    states: [{ label: "opened by an address", show: () => <FormDialogSample /> }],
  },
  {
    name: "LeaveGuard",
    file: "feedback/leave-guard.tsx",
    note: "Type something and follow a link to another page.",
    isSingle: true,
    states: [{ label: "with unsaved text", show: () => <LeaveGuardSample /> }],
  },
];

function showToastWithAction() {
  const key = showToast({
    kind: "success",
    title: "Listing archived",
    action: { label: "Undo", run: () => hideToast(key) },
  });
}

function DialogButton({
  isBusyFor = 0,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, "open" | "onClose"> & {
  /** The number of attempts to close it that it refuses. */
  isBusyFor?: number;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const attempts = useRef(0);
  return (
    <>
      <Button
        variant="secondary"
        onClick={() => {
          attempts.current = 0;
          setIsOpen(true);
        }}
      >
        Open dialog
      </Button>
      <Dialog
        {...dialog}
        open={isOpen}
        isSending={() => {
          attempts.current += 1;
          return attempts.current <= isBusyFor;
        }}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

function FormDialogSample() {
  const [params] = useSearchParams();
  return (
    <>
      <ButtonLink to="?dialog=form" variant="secondary" replace preventScrollReset>
        Open form dialog
      </ButtonLink>
      <FormDialog
        open={params.get("dialog") === "form"}
        closed="/demo/components"
        intent="save-sample"
        title="Edit the name"
        submitLabel="Save name"
        pendingLabel="Saving..."
      >
        {({ errors, values }) => (
          <>
            <FormAlert>{errors?.[""]}</FormAlert>
            <Field
              label="Name *"
              name="name"
              defaultValue={values?.name}
              error={errors?.name}
              hint="At most 40 characters."
            />
          </>
        )}
      </FormDialog>
    </>
  );
}

/** A page has one guard at a time, and the form dialog has its own. */
function LeaveGuardSample() {
  const [params] = useSearchParams();
  const field = useRef<HTMLTextAreaElement>(null);
  const wouldLose = useCallback(() => Boolean(field.current?.value), []);
  return (
    <>
      <TextAreaField label="Unsaved text" name="unsaved" rows={2} ref={field} />
      {!params.has("dialog") && (
        <LeaveGuard
          wouldLose={wouldLose}
          place="path"
          title="Discard your text?"
          leave="Discard text"
          stay="Keep editing"
        >
          <p>Your text isn't saved yet.</p>
        </LeaveGuard>
      )}
    </>
  );
}
