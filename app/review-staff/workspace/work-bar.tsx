import type { CSSProperties, MouseEvent, ReactNode } from "react";
import type { AnswerEntry } from "../../annotations/answers/answers.tsx";
import { useEditor } from "../../annotations/remarks/editor.tsx";
import { isBlankEntry } from "../../annotations/remarks/remark-store.ts";
import { DueDate } from "../../reviews/due-dates/due-date.tsx";
import { listReviewCriteria } from "../../reviews/rubric.ts";
import { getBoughtService } from "../../reviews/second-looks.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { Link } from "../../ui/link.tsx";
import { feedbackFormId } from "./feedback-form.tsx";
import type { Workspace } from "./find.server.ts";
import type { Feedback } from "./use-feedback.ts";
import type { TabId, WorkTabs } from "./work-tabs.tsx";
import * as styles from "./work-desk.module.css";
import * as dashboardStyles from "./dashboard.module.css";

/** Renders the bar of an open review. It stays at the top: what it is, when it is due, what is done, and the submit button. */
export function WorkBar({
  workspace,
  tabs,
  feedback,
  answers,
  outcomes,
}: {
  workspace: Pick<
    Workspace,
    "reviewId" | "serviceType" | "secondLookOf" | "customer" | "due" | "images" | "files"
  >;
  tabs: WorkTabs;
  feedback: Feedback;
  answers: readonly AnswerEntry[];
  /** Of a second look; empty for a first review. */
  outcomes: readonly { state: { name: string } }[];
}) {
  const { reviewId, serviceType, customer, due, images, files } = workspace;
  const { entries, scores } = useEditor();
  const criteria = listReviewCriteria(serviceType);
  const scored = criteria.filter((key) => scores[key] !== undefined).length;
  const handed = images.length + files.length;
  return (
    <header className={styles.bar}>
      <BackToDashboard />
      <a
        className={styles.preview}
        href={`/reviewer/submission/${reviewId}/preview`}
        target="_blank"
        rel="noopener"
      >
        <Icon name="eye" />
        Preview
        <span className="sr-only"> as the customer (opens in a new tab)</span>
      </a>
      <h1>{getBoughtService(workspace).label}</h1>
      <span className={styles.customer}>{customer}</span>
      <DueDate due={due} />
      <nav className={styles.done} aria-label="Done so far">
        <TabLink tab="scores" tabs={tabs}>
          <b>
            {scored} of {criteria.length}
          </b>{" "}
          scores
          <span
            className={styles.meter}
            style={{ "--of": criteria.length, "--done": scored } as CSSProperties}
          />
        </TabLink>
        <TabLink tab="remarks" tabs={tabs}>
          <b>{entries.length}</b> {entries.length === 1 ? "remark" : "remarks"}
        </TabLink>
        <a href="#screenshots">
          <b>{handed}</b> {handed === 1 ? "file" : "files"}
        </a>
      </nav>
      <SavedState tabs={tabs} feedback={feedback} answers={answers} outcomes={outcomes} />
      <div className={styles.submit}>
        {feedback.isEmpty && (
          <a
            href="#summary"
            onClick={(event) => {
              event.preventDefault();
              tabs.open("summary");
              feedback.area.current?.focus();
            }}
          >
            Write the summary first
          </a>
        )}
        <SubmitButton
          form={feedbackFormId}
          intent="submit"
          size="sm"
          pendingLabel="Submitting..."
          pending={feedback.isSubmitting}
          disabled={feedback.hydrated && feedback.isEmpty}
          aria-describedby="submit-effect"
        >
          Submit Review
        </SubmitButton>
      </div>
    </header>
  );
}

export function BackToDashboard() {
  return (
    <nav className={dashboardStyles.workBack} aria-label="Back">
      <Link to="/reviewer">
        <Icon name="arrow-left" />
        Back to Dashboard
      </Link>
    </nav>
  );
}

function TabLink({ tab, tabs, children }: { tab: TabId; tabs: WorkTabs; children: ReactNode }) {
  function onClick(event: MouseEvent) {
    event.preventDefault();
    tabs.open(tab);
  }
  return (
    <a href={`#${tab}`} onClick={onClick}>
      {children}
    </a>
  );
}

/** Shows if everything is saved; if something can't be, it leads there. */
function SavedState({
  tabs,
  feedback,
  answers,
  outcomes,
}: {
  tabs: WorkTabs;
  feedback: Feedback;
  answers: readonly AnswerEntry[];
  outcomes: readonly { state: { name: string } }[];
}) {
  const { entries, select } = useEditor();
  const remarks = entries.filter((entry) => !isBlankEntry(entry));
  const stuck = remarks.find(isStuck);
  const states = [feedback, ...answers, ...outcomes, ...remarks].map(({ state }) => state.name);
  const stuckTab = outcomes.some(isStuck)
    ? "earlier"
    : [feedback, ...answers].some(isStuck) && "summary";
  if (stuck) return <TabLinkToProblem onOpen={() => select(stuck.remark.id)} />;
  if (stuckTab) return <TabLinkToProblem onOpen={() => tabs.open(stuckTab)} />;
  const isSaved = states.every((name) => name === "saved");
  return (
    <span className={`${styles.saved} needs-scripts`} data-saved={isSaved || undefined}>
      {isSaved ? "All saved" : "Saving…"}
    </span>
  );
}

function TabLinkToProblem({ onOpen }: { onOpen(): void }) {
  return (
    <button type="button" className={styles.saved} data-stuck onClick={onOpen}>
      Not saved
    </button>
  );
}

/** Checks whether something is unsaved and needs the person's attention. */
export function isStuck({ state }: { state: { name: string } }): boolean {
  return state.name === "failed" || state.name === "conflict";
}
