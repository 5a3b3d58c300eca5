import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import type { OwnPath } from "../platform/own-path.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { Button, ButtonLink } from "../ui/form/button.tsx";

/** The labels of the listings in the reader's own list, by their ids. */
export type OwnLabels = Record<string, string>;

const noLabels: OwnLabels = {};

/**
 * Reads which listings are in the reader's list. The board and its jobs are the same for all readers and cached, so
 * that this comes afterwards. If it fails, the page just doesn't show it.
 *
 * @param jobId only this listing
 */
export function useOwnLabels(isVisitor: boolean, jobId = ""): OwnLabels {
  const [labels, setLabels] = useState(noLabels);
  useEffect(() => {
    if (!isVisitor)
      fetch(`/profile/jobs/listings?job=${jobId}`)
        .then((answer) => answer.json())
        .then(setLabels, () => {});
  }, [isVisitor, jobId]);
  return labels;
}

/** The form that all Save buttons of a page send without scripts. */
export function SaveForm() {
  return <form id="save" method="post" hidden />;
}

/** Adds a listing to the reader's list, and removes it again. A visitor signs in first. */
export function SaveButton({
  job: { id, title },
  labels,
}: {
  job: { id: string; title: string };
  labels: OwnLabels;
}) {
  const { label, isBusy, submit } = useSaving(id, labels);
  const intent = label ? "unsave" : "save";
  const name = <span className="sr-only"> {title}</span>;
  if (label && label !== "Saved")
    return (
      <ButtonLink to="/profile/jobs" variant="ghost" size="sm">
        <Icon name="check" />
        {label}
        {name}
      </ButtonLink>
    );
  return (
    <Button
      type="submit"
      form="save"
      formAction={`/jobs/${id}/save` satisfies OwnPath}
      name="intent"
      value={intent}
      variant={label ? "ghost" : "secondary"}
      size="sm"
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        event.preventDefault();
        submit(intent);
      }}
    >
      {label && <Icon name="check" />}
      <span aria-live="polite">{label ?? "Save"}</span>
      {name}
    </Button>
  );
}

/** Changes the reader's list, and returns the label of the listing there: undefined or null if it isn't in the list. */
export function useSaving(id: string, labels: OwnLabels) {
  const { data, state, submit } = useFetcher<{ label?: string | null }>({ key: `save-${id}` });
  // After the answer the label is current. The screen still revalidates, which must not block the next press.
  const isBusy = state === "submitting";
  return {
    label: data?.label === undefined ? labels[id] : data.label,
    isBusy,
    submit(intent: "save" | "unsave" | "applied") {
      if (!isBusy) void submit({ intent }, { method: "post", action: `/jobs/${id}/save` });
    },
  };
}
