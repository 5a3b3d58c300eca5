import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { useNavigate, useNavigation, useSubmit } from "react-router";
import { useHydrated } from "../../ui/hydrated.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { failedTitles, messages } from "../../reviews/staff-rules.ts";
import { readUnsaved, type SavedDraft, useDraft } from "./use-draft.ts";
import * as styles from "./work-desk.module.css";
import * as uploadFieldStyles from "../../files/upload-ui/upload-field.module.css";

type Options = {
  workspace: { reviewId: string; assignmentId: string; draft: SavedDraft };
  /** The fields of a rejected form and their draft version; they take precedence over the saved draft. */
  typed: Record<string, string>;
  /** The errors of this form from the screen's action. */
  refused: { errors: Record<string, string>; code?: string } | undefined;
  /** Waits until remarks and answers are saved. @returns false when some cannot be. */
  settle(): Promise<boolean>;
};

/** The feedback of a review: its text, its saved state, and how it is submitted. */
export type Feedback = ReturnType<typeof useFeedback>;

/** Returns the feedback of an open review. Its form and its submit button can be in different places. */
export function useFeedback({
  workspace: { reviewId, assignmentId, draft },
  typed,
  refused,
  settle,
}: Options) {
  const initial = typed.feedback ?? draft.feedback;
  const saved = { ...draft, version: typed.version ?? draft.version };
  const hydrated = useHydrated();
  const area = useRef<HTMLTextAreaElement>(null);
  const [older, setOlder] = useState<string | null>(null);
  const [isWaiting, setIsWaiting] = useState(false);
  const navigation = useNavigation();
  const isSubmitting = isWaiting || navigation.formData?.get("intent") === "submit";
  const draftOfTab = useDraft({ reviewId, assignmentId, draft: saved }, initial, {
    isSubmitting,
    onReplaced: show,
    onClosed: (reason) => void leave(reason),
  });
  const { text, change, check } = draftOfTab;
  const navigate = useNavigate();
  const send = useSubmit();
  const isOutdated = refused?.code === "changed";

  /** Shows a text in the field, which is uncontrolled. */
  function show(newText: string) {
    if (area.current) area.current.value = newText;
    setOlder(null);
  }

  function put(newText: string) {
    show(newText);
    change(newText);
  }

  /** The review was submitted in another tab, or reassigned, so nothing more is written here. */
  async function leave({ message, code }: { message: string; code?: string }) {
    if (document.querySelector(uploadRow) || !(await settle())) return;
    showToast({ kind: "warning", title: message });
    await navigate(code === "already-submitted" ? "?submitted" : ".", { replace: true });
  }

  /** Waits for a save under way, since it changes the version to submit with. */
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isWaiting || hasWaitingUploads()) return;
    const form = event.currentTarget;
    const written = new FormData(form, event.nativeEvent.submitter);
    setIsWaiting(true);
    await sendSettled(written);
    setIsWaiting(false);
  }

  async function sendSettled(written: FormData) {
    const [current, areRemarksSaved] = await Promise.all([draftOfTab.settle(), settle()]);
    if (!areRemarksSaved) {
      const description = messages.notSaved;
      return showToast({ kind: "error", title: failedTitles.submit, description });
    }
    // Another tab's text may have arrived in the field, which the reviewer has not read yet.
    if (current === null || area.current?.value !== written.get("feedback")) {
      const description = messages.draftChanged;
      return showToast({ kind: "error", title: failedTitles.submit, description });
    }
    // A file may have been chosen during the save.
    if (hasWaitingUploads()) return undefined;
    written.set("version", current);
    await send(written, { method: "post", replace: true });
  }

  useEffect(() => {
    // Text from before hydration stays; otherwise this tab's unsaved text is restored.
    const inField = area.current?.value ?? "";
    if (inField !== initial) return change(inField);
    const unsaved = readUnsaved(assignmentId);
    if (!unsaved || unsaved.text === inField) return;
    if (unsaved.base === draft.feedback) put(unsaved.text);
    else setOlder(unsaved.text);
    // oxlint-disable-next-line react/exhaustive-deps -- runs once, on hydration
  }, []);

  useEffect(() => {
    if (isOutdated) check();
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per answer
  }, [refused]);

  return {
    ...draftOfTab,
    /** The field, which is uncontrolled. */
    area,
    initial,
    /** The version of the draft that the form was rendered with. */
    firstVersion: saved.version,
    savedText: draft.feedback,
    errors: refused?.errors ?? {},
    isOutdated,
    /** Unsaved text of this tab over which the draft has changed; null without one. */
    older,
    useOlder: () => older !== null && put(older),
    dropOlder: () => setOlder(null),
    isEmpty: text.trim() === "",
    isSubmitting,
    hydrated,
    submit,
    /** Saves everything. @returns false when something can't be saved */
    saveAll: async () => (await draftOfTab.flush()) && (await settle()),
  };
}

const uploadRow = `.${styles.workDesk} .${uploadFieldStyles.row}`;

/** Warns about files that are not uploaded yet, since a completed review accepts no more. */
function hasWaitingUploads(): boolean {
  if (!document.querySelector(uploadRow)) return false;
  showToast({
    kind: "warning",
    title: "Some files are not uploaded yet",
    description: "Upload or cancel them, then submit the review.",
  });
  return true;
}
