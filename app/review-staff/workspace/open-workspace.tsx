import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { AnswerForms, UnansweredNote, useAnswers } from "../../annotations/answers/answers.tsx";
import { EditorKeys } from "../../annotations/remarks/editor-keys.tsx";
import { RemarkEditor, useEditor } from "../../annotations/remarks/editor.tsx";
import { RemarkList } from "../../annotations/remarks/remark-list.tsx";
import {
  countComplete,
  EarlierOutcomes,
  useOutcomes,
} from "../../annotations/second-look/earlier-remarks.tsx";
import { ScoreCard, UnscoredWarning } from "../../annotations/remarks/score-card.tsx";
import type { MachineReading } from "../../annotations/machine-reading/machine-reading.server.ts";
import { UploadGuard } from "../../files/upload-ui/upload-guard.tsx";
import { BriefAim } from "../../reviews/brief/review-brief.tsx";
import { listReviewCriteria } from "../../reviews/rubric.ts";
import { messages } from "../../reviews/staff-rules.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { Link } from "../../ui/link.tsx";
import type { OfferedDraft } from "../hand-back/drafts.server.ts";
import { OfferedDrafts } from "../hand-back/offered-drafts.tsx";
import { ReviewBadges } from "./assignment-cards.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import type { Workspace } from "./find.server.ts";
import { Attachments } from "./attachments.tsx";
import { listPinnableImages, MaterialList, MaterialPages } from "./materials-panel.tsx";
import { useFeedback } from "./use-feedback.ts";
import { getRemarksAddress } from "./work-addresses.ts";
import { isStuck, WorkBar } from "./work-bar.tsx";
import { useWorkTabs, WorkPanel, WorkTabRow } from "./work-tabs.tsx";
import * as styles from "./work-desk.module.css";
import * as dashboardStyles from "./dashboard.module.css";

type OpenWorkspaceProps = {
  workspace: Workspace & { when: string; submitted: string };
  /** The drafts that earlier reviewers of this review left. */
  drafts: readonly OfferedDraft[];
  /** The text that software reads, shown instead of the pages; null while the pages are shown. */
  readings: MachineReading[] | null;
  /** True if the earlier pages of a second look are shown beside the new ones. */
  hasEarlierPages: boolean;
  /** The id of a remark that is added without scripts. */
  blank: string;
  /** The fields of an interrupted form. */
  restored: Record<string, string>;
  refused:
    | { errors: Record<string, string>; values: Record<string, string>; code?: string }
    | undefined;
};

/** Renders the workspace of an open review: a bar, the pages, and a rail with what the reviewer writes. */
export function OpenWorkspace(props: OpenWorkspaceProps) {
  const { workspace } = props;
  return (
    <RemarkEditor
      key={workspace.assignmentId}
      address={getRemarksAddress(workspace.reviewId)}
      remarks={workspace.remarks}
      scores={workspace.scores}
      pages={workspace.pages.flatMap(({ pages }) => pages)}
      images={listPinnableImages(workspace.images, workspace.screenshots)}
    >
      <Desk {...props} />
    </RemarkEditor>
  );
}

function Desk({
  workspace,
  drafts,
  readings,
  hasEarlierPages,
  blank,
  restored,
  refused,
}: OpenWorkspaceProps) {
  const { reviewId, serviceType, brief, pages, earlier } = workspace;
  const { entries, scores, settle, opened } = useEditor();
  const answers = useAnswers(workspace);
  const outcomes = useOutcomes(getRemarksAddress(reviewId), earlier);
  const feedback = useFeedback({
    workspace,
    typed: refused?.values ?? restored,
    refused,
    settle: async () =>
      (await answers.autosave.flush()) && (await outcomes.autosave.flush()) && settle(),
  });
  const isRefused = refused?.values.intent === "submit";
  const tabs = useWorkTabs(earlier ? "earlier" : "remarks", {
    remarks: opened,
    summary: isRefused ? refused : null,
  });
  const criteria = listReviewCriteria(serviceType);
  const scored = criteria.filter((key) => scores[key] !== undefined).length;
  return (
    <>
      <UploadGuard
        place="path"
        others={
          [...entries, ...answers.entries, ...outcomes.entries].some(isStuck)
            ? messages.notSaved
            : null
        }
      />
      <WorkBar
        workspace={workspace}
        tabs={tabs}
        feedback={feedback}
        answers={answers.entries}
        outcomes={outcomes.entries}
      />
      <div className={styles.workDesk}>
        <section className={styles.head} aria-labelledby="materials">
          <h2 id="materials">Submitted materials</h2>
          <MaterialList materials={workspace.materials} />
          <details className={styles.facts}>
            <summary>
              <Icon name="chevron-down" />
              Order details
            </summary>
            <div className={dashboardStyles.workFacts}>
              <ReviewBadges {...workspace} />
              <span>{workspace.when}</span>
              <span>{workspace.submitted}</span>
            </div>
            {brief && <BriefAim brief={brief} className={styles.aim} />}
          </details>
        </section>
        <section className={styles.pages} aria-label="Pages">
          <MaterialPages
            {...workspace}
            readings={readings}
            earlier={
              earlier && earlier.marked.sheets.length > 0
                ? { sheets: earlier.marked.sheets, areShown: hasEarlierPages }
                : null
            }
            canAdd
            inColumn
          />
        </section>
        <div className={styles.rail}>
          <OfferedDrafts drafts={drafts} />
          <WorkTabRow
            state={tabs}
            beside={<EditorKeys screen="workspace" className={styles.shortcuts} />}
            counts={{
              earlier: earlier
                ? `${countComplete(outcomes)}/${outcomes.entries.length}`
                : undefined,
              remarks: entries.length,
              scores: `${scored}/${criteria.length}`,
              summary: !feedback.isEmpty && <Written />,
            }}
          />
          {earlier && (
            <WorkPanel id="earlier" state={tabs}>
              <EarlierOutcomes outcomes={outcomes} refused={refused} />
            </WorkPanel>
          )}
          <WorkPanel id="remarks" state={tabs}>
            <RemarkList
              serviceType={serviceType}
              phrases={{ own: workspace.phrases, address: getRemarksAddress(reviewId) }}
              earlier={workspace.earlierRemarks}
              areComing={pages.some(({ isComing }) => isComing)}
              blank={blank}
            />
          </WorkPanel>
          <WorkPanel id="scores" state={tabs}>
            <ScoreCard serviceType={serviceType} />
          </WorkPanel>
          <WorkPanel id="summary" state={tabs}>
            <section id="summary" className={styles.summary} aria-labelledby="summary-title">
              <h2 id="summary-title">Summary</h2>
              <FeedbackForm feedback={feedback} />
              {answers.entries.length > 0 && (
                <section className={styles.questions} aria-labelledby="questions-title">
                  <h3 id="questions-title">The customer&apos;s questions</h3>
                  <AnswerForms answers={answers} refused={refused} />
                </section>
              )}
              <UnscoredWarning serviceType={serviceType} />
              <UnansweredNote answers={answers} />
              <p id="submit-effect">
                The customer gets the review right away, and you can&apos;t change it afterwards.
              </p>
              <p>
                Can&apos;t finish it?{" "}
                <SavedLink
                  to={`/reviewer/submission/${reviewId}/hand-back`}
                  save={feedback.saveAll}
                >
                  Hand back this review
                </SavedLink>
              </p>
            </section>
          </WorkPanel>
          <div className={styles.files}>
            <Attachments workspace={workspace} />
          </div>
        </div>
      </div>
    </>
  );
}

/** A link that is followed once everything is saved. */
function SavedLink({
  to,
  save,
  children,
}: {
  to: OwnPath;
  save(): Promise<boolean>;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  async function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (await save()) await navigate(to);
    else showToast({ kind: "error", title: messages.notSaved });
  }
  return (
    <Link to={to} onClick={(event) => void onClick(event)}>
      {children}
    </Link>
  );
}

function Written() {
  return (
    <>
      <Icon name="check" />
      <span className="sr-only">written</span>
    </>
  );
}
