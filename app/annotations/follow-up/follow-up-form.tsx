import { type SubmitEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Form, useSubmit } from "react-router";
import type { OwnPath } from "../../platform/own-path.ts";
import { Autosave, type SaveState } from "../../ui/autosave.ts";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Button, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, SelectField, TextAreaField } from "../../ui/form/field.tsx";
import { useHydrated } from "../../ui/hydrated.ts";
import { sendChange } from "../../ui/send-change.ts";
import { useAutosave } from "../../ui/use-autosave.ts";
import {
  type FollowUpDraft,
  followUpMessages as messages,
  formatRemarkOption,
  type NamedRemark,
} from "./rules.ts";
import * as styles from "./follow-up.module.css";
import * as otherTextStyles from "../../ui/form/other-text.module.css";

type Typed = Pick<FollowUpDraft, "text" | "remark">;

/** A refused form, with the typed values. */
export type RefusedFollowUp = {
  errors: Record<string, string>;
  values: Record<string, string>;
  code?: string;
};

type FollowUpFormProps = {
  /** The form's screen and intent. */
  action: OwnPath;
  intent: string;
  /** The endpoint that saves drafts, and the fields that name this one. */
  saving: { address: OwnPath; fields: Record<string, string> };
  draft: FollowUpDraft;
  remarks: readonly NamedRemark[];
  /** The id of a remark chosen outside of the form. */
  chosen?: string;
  labels: { text: string; remark: string; none: string; send: string; hint: string };
  maxLength: number;
  refused: RefusedFollowUp | undefined;
};

/** The form of a question or an answer: a text and a remark. It saves itself as a draft until it is sent. */
export function FollowUpFields(props: FollowUpFormProps) {
  const { action, intent, draft, remarks, chosen, labels, maxLength, refused } = props;
  const { errors = {}, values = {} } = refused ?? {};
  const initial = {
    text: values.text ?? draft.text,
    remark: values.remark ?? chosen ?? draft.remark,
  };
  const { form, state, change, takeTheirs, keepMine, submit } = useFollowUpDraft(props, initial);
  const hydrated = useHydrated();
  const isOutdated = !hydrated && refused?.code === "changed";
  return (
    <Form
      method="post"
      action={action}
      ref={form}
      className={styles.form}
      preventScrollReset
      noValidate
      onSubmit={submit}
    >
      <FormAlert>{errors[""]}</FormAlert>
      {isOutdated && (
        <div className={otherTextStyles.otherText} role="alert">
          <p>This is the saved text. Send this form again to replace it with yours.</p>
          <blockquote>{draft.text || "Empty"}</blockquote>
        </div>
      )}
      {state.name === "conflict" && (
        <div className={otherTextStyles.otherText} role="alert">
          <p>{messages.changed} The other text:</p>
          <blockquote>{state.current.text || "Empty"}</blockquote>
          <Button variant="secondary" size="sm" onClick={takeTheirs}>
            Use the other text
          </Button>
          <Button variant="ghost" size="sm" onClick={keepMine}>
            Keep the text in the field
          </Button>
        </div>
      )}
      <input type="hidden" name="version" value={values.version ?? draft.version} />
      <SelectField
        label={labels.remark}
        name="remark"
        defaultValue={initial.remark}
        options={[
          { value: "", label: labels.none },
          ...remarks.map((remark) => ({ value: remark.id, label: formatRemarkOption(remark) })),
        ]}
        error={errors.remark}
        onChange={change}
      />
      <TextAreaField
        label={labels.text}
        name="text"
        rows={5}
        maxLength={maxLength}
        defaultValue={initial.text}
        error={errors.text}
        hint={
          <>
            {labels.hint}
            <br />
            {hydrated ? (
              <DraftStatus state={state} />
            ) : (
              <span className="scripts-only">&nbsp;</span>
            )}
          </>
        }
        onChange={change}
      />
      <p>
        <SubmitButton intent={intent} pendingLabel="Sending...">
          {labels.send}
        </SubmitButton>
      </p>
    </Form>
  );
}

function DraftStatus({ state }: { state: SaveState<FollowUpDraft> }) {
  const labels = {
    saved: "Saved.",
    unsaved: "Not saved yet.",
    saving: "Saving…",
    failed: "Not saved.",
    conflict: "Not saved: changed elsewhere.",
  };
  return (
    <output>
      {labels[state.name]}
      {state.name === "failed" && ` ${state.message}`}
    </output>
  );
}

/** Connects the fields to an autosave. They are uncontrolled, so that text from before hydration stays. */
function useFollowUpDraft({ saving, draft, chosen, action }: FollowUpFormProps, initial: Typed) {
  const form = useRef<HTMLFormElement>(null);
  const [autosave] = useState(() => createFollowUpAutosave(saving, draft, initial));
  const entries = useSyncExternalStore(autosave.subscribe, autosave.snapshot, autosave.snapshot);
  const { state, replaced } = entries.get("draft")!;
  const [isWaiting, setIsWaiting] = useState(false);
  const send = useSubmit();
  useAutosave(autosave, () => void autosave.check("draft"));

  const change = () => {
    if (form.current) autosave.change("draft", readTyped(form.current));
  };

  useEffect(() => {
    if (!form.current) return;
    // A remark that is chosen outside of the form replaces the one in it.
    if (chosen) getField(form.current, "remark").value = chosen;
    autosave.change("draft", readTyped(form.current));
  }, [autosave, chosen]);

  useEffect(() => {
    if (!form.current || replaced === 0) return;
    const { text, remark } = autosave.get("draft")!.value;
    getField(form.current, "text").value = text;
    getField(form.current, "remark").value = remark;
  }, [autosave, replaced]);

  /** Waits for a save under way, since it changes the version to send. */
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isWaiting) return;
    const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
    setIsWaiting(true);
    autosave.setPaused(true);
    await autosave.settled();
    const entry = autosave.get("draft")!;
    if (entry.state.name === "conflict") showToast({ kind: "error", title: messages.changed });
    else {
      data.set("version", String(entry.saved.version));
      await send(data, { method: "post", action, preventScrollReset: true });
    }
    autosave.setPaused(false);
    setIsWaiting(false);
  }

  return {
    form,
    state,
    change,
    submit,
    takeTheirs: () => autosave.takeTheirs("draft"),
    keepMine: () => autosave.keepMine("draft"),
  };
}

function createFollowUpAutosave(
  { address, fields }: FollowUpFormProps["saving"],
  draft: FollowUpDraft,
  initial: Typed,
) {
  return new Autosave<"draft", Typed, FollowUpDraft>([["draft", draft, initial]], {
    async send(_, { value, saved, leaving }) {
      const body = { ...fields, ...value, version: String(saved.version) };
      const result = await sendChange<FollowUpDraft>(address, body, leaving);
      if (!result.ok) return result;
      return { ok: true, saved: { ...value, version: Number(result.result) } };
    },
    toValue: ({ text, remark }) => ({ text, remark }),
    isSame: (one, other) => one.text === other.text && one.remark === other.remark,
  });
}

function readTyped(form: HTMLFormElement): Typed {
  return { text: getField(form, "text").value, remark: getField(form, "remark").value };
}

function getField(form: HTMLFormElement, name: string): HTMLTextAreaElement | HTMLSelectElement {
  return form.elements.namedItem(name) as HTMLTextAreaElement | HTMLSelectElement;
}
