import { type ReactNode, useEffect } from "react";
import { data, Link, useRevalidator } from "react-router";
import { currentActor } from "../../accounts/actor.server.ts";
import { takeHeldForm } from "../../accounts/sign-in/held-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { shortDate } from "../../platform/clock.ts";
import { attempt, orElse } from "../../platform/forms.server.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { useFocusFirstError } from "../../ui/form/field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tabs.tsx";
import { titled } from "../../ui/meta/title.ts";
import { ReviewBadges } from "./assignment-cards.tsx";
import { openReview } from "./own-review.server.ts";
import type { HandedImage } from "../handed-back.server.ts";
import { MachineReadings } from "../machine-reading/machine-reading.tsx";
import { type MachineReading, readByMachine } from "../machine-reading/machine-reading.server.ts";
import type { Material } from "../materials.ts";
import type { PartPages } from "../pages/list-pages.server.ts";
import { AnswerForms, UnansweredNote, useAnswers } from "../brief/answers.tsx";
import { ReviewBriefPart } from "../brief/review-brief.tsx";
import { GivenRating } from "../rating/given-rating.tsx";
import { ensurePagesOf } from "../pages/ensure-pages.server.ts";
import { isElsewhere } from "../picture.tsx";
import { type PinnedImage, RemarkEditor } from "../remarks/editor.tsx";
import { RemarkList } from "../remarks/remark-list.tsx";
import { ScoreCard, UnscoredWarning } from "../remarks/score-card.tsx";
import { Sheets } from "../remarks/sheets.tsx";
import { partNames } from "../rubric.ts";
import { serviceLabel } from "../rules.ts";
import type { Route } from "./+types/workspace.screen.ts";
import { FeedbackForm } from "./feedback-form.tsx";
import { hasReview, readWorkspace, type Workspace } from "./find.server.ts";
import { HandedBack, SubmittedFeedback } from "./handed-back.tsx";
import { workspaceForms } from "./workspace-forms.server.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  titled(
    matches,
    loaderData?.workspace ? serviceLabel(loaderData.workspace.serviceType) : "Review",
  );

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  const { db } = context.get(appContext);
  if (!params.reviewId) return problem(400, "Review ID is missing");
  if (!actor) return problem(401, "User authentication error");
  const { reviewId } = params;

  const held = await attempt(context, () => hasReview(db, actor, reviewId), retryLater);
  if (!held.ok) return problem(500, `Failed to load assignment: ${held.message}`);
  if (!held.value) return notFound();
  const read = await attempt(context, () => readWorkspace(db, actor, reviewId), retryLater);
  if (!read.ok) return problem(500, `Failed to load review: ${read.message}`);
  if (!read.value) return notFound();
  const workspace = read.value;
  await orElse(context, () => ensurePagesOf(db, reviewId), undefined);
  if (workspace.isOpen && workspace.status === "pending") {
    const opened = await attempt(context, () => openReview(db, actor, reviewId), retryLater);
    if (!opened.ok) {
      const status = opened.refusal.init?.status ?? 500;
      return problem(status, `Failed to load assignment: ${opened.message}`);
    }
    workspace.status = "under_review";
  }
  const readings = url.searchParams.has("reading")
    ? await orElse(context, () => readByMachine(db, reviewId), [])
    : null;
  const typed = workspace.isOpen ? await takeHeldForm(context, request) : {};
  return data({
    problem: null,
    workspace: { ...workspace, ...dates(workspace) },
    readings,
    held: typed,
    blankRemark: crypto.randomUUID(),
  });
}

const retryLater = { fallback: "Please try again later." };

function problem(status: number, title: string, description?: string) {
  return data({ problem: { title, description }, workspace: null, held: {} }, { status });
}

function notFound() {
  return problem(
    404,
    "Review not found",
    "The requested review could not be found or you don't have permission to access it",
  );
}

function dates({ submittedAt, assignedAt, completedAt, isOpen }: Workspace) {
  const done = completedAt ? shortDate(completedAt) : "Unknown date";
  return {
    when: isOpen ? `Assigned on ${shortDate(assignedAt)}` : `Completed on ${done}`,
    submitted: `Submitted on ${shortDate(submittedAt)}`,
  };
}

export const action = workspaceForms;

export default function WorkspaceScreen({ loaderData, actionData }: Route.ComponentProps) {
  const problems = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(problems?.errors);
  const { workspace, held } = loaderData;
  const readings = "readings" in loaderData ? loaderData.readings : null;
  useComingPages(workspace?.pages.some(({ isComing }) => isComing) ?? false);
  const answers = useAnswers(workspace);
  if (!workspace) return <Problem {...loaderData.problem} />;
  return (
    <>
      <BackToDashboard />
      <Page
        title={serviceLabel(workspace.serviceType)}
        intro={
          <div className="work-facts">
            <ReviewBadges {...workspace} />
            <span>{workspace.when}</span>
            <span>{workspace.submitted}</span>
          </div>
        }
      >
        {workspace.isOpen ? (
          <RemarkEditor
            key={workspace.assignmentId}
            address={remarksAddress(workspace.reviewId)}
            remarks={workspace.remarks}
            scores={workspace.scores}
            pages={workspace.pages.flatMap(({ pages }) => pages)}
            images={pinnable(workspace.images)}
          >
            {({ settle }) => (
              <div className="workspace">
                <Materials materials={workspace.materials} pages={workspace.pages}>
                  <Readers workspace={workspace} readings={readings}>
                    {hasPlaces(workspace) ? <Sheets /> : <NothingToPin />}
                  </Readers>
                </Materials>
                <div className="workspace-work">
                  <ReviewBriefPart brief={workspace.brief}>
                    <AnswerForms answers={answers} refused={problems} />
                  </ReviewBriefPart>
                  <Remarks workspace={workspace} blank={loaderData.blankRemark} />
                  <FeedbackForm
                    workspace={workspace}
                    typed={problems?.values ?? held}
                    errors={problems?.errors ?? {}}
                    settle={async () => (await answers.store.flush()) && settle()}
                    warnings={
                      <>
                        <UnscoredWarning serviceType={workspace.serviceType} />
                        <UnansweredNote answers={answers} />
                      </>
                    }
                  >
                    <HandedBack workspace={workspace} />
                    <UnansweredNote answers={answers} />
                  </FeedbackForm>
                </div>
              </div>
            )}
          </RemarkEditor>
        ) : (
          <div className="workspace">
            <Materials materials={workspace.materials} />
            <div className="workspace-work">
              <ReviewBriefPart brief={workspace.brief} />
              <SubmittedFeedback workspace={workspace} />
              <HandedBack workspace={workspace} />
              <GivenRating rating={workspace.rating} />
            </div>
          </div>
        )}
      </Page>
    </>
  );
}

/** Whether there is a page or a screenshot, or will be soon. */
function hasPlaces({ pages, images }: Pick<Workspace, "pages" | "images">): boolean {
  return (
    pages.some((part) => part.isComing || part.pages.length > 0) || pinnable(images).length > 0
  );
}

/** Pictures that lie elsewhere are never fetched by us, and not pinned. */
function pinnable(images: HandedImage[]): PinnedImage[] {
  return images.flatMap(({ id, href }, index) =>
    href && !isElsewhere(href) ? [{ id, href, label: `Screenshot ${index + 1}` }] : [],
  );
}

function Remarks({
  workspace: { reviewId, serviceType, phrases, earlierRemarks },
  blank,
}: {
  workspace: Pick<Workspace, "reviewId" | "serviceType" | "phrases" | "earlierRemarks">;
  blank: string;
}) {
  return (
    <>
      <RemarkList
        serviceType={serviceType}
        phrases={{ own: phrases, address: remarksAddress(reviewId) }}
        earlier={earlierRemarks}
        blank={blank}
      />
      <ScoreCard serviceType={serviceType} />
    </>
  );
}

/** Where scripts send what is written on pages. */
function remarksAddress(reviewId: string): string {
  return `/reviewer/submission/${reviewId}/remarks`;
}

const pauseBetweenLooks = 2_000;

/** Reads the screen anew while pages are being made, as long as somebody looks at it. */
function useComingPages(isComing: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isComing || state !== "idle") return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, pauseBetweenLooks);
    return () => clearInterval(timer);
  }, [isComing, revalidate, state]);
}

function BackToDashboard() {
  return (
    <nav className="work-back" aria-label="Back">
      <Link to="/reviewer">
        <Icon name="arrow-left" />
        Back to Dashboard
      </Link>
    </nav>
  );
}

function Problem({ title, description }: { title?: string; description?: string }) {
  return (
    <>
      <BackToDashboard />
      <Page title={title}>
        <EmptyState title={description ?? "This review cannot be shown."} drawing="lost" />
      </Page>
    </>
  );
}

/** What the customer handed in: links to all of it, then each part that can be read in place. */
function Materials({
  materials,
  pages = [],
  children,
}: {
  materials: Material[];
  pages?: PartPages[];
  /** The pages, where there are some. */
  children?: ReactNode;
}) {
  const asPages = pages.filter((part) => part.pages.length > 0 || part.isComing);
  const readable = materials.filter(
    ({ label, shownAs }) =>
      (shownAs === "pdf" || shownAs === "image") &&
      !asPages.some(({ part }) => part === (label === "Resume" ? "resume" : "portfolio")),
  );
  return (
    <section className="materials scroll-area" aria-labelledby="materials">
      <h2 id="materials">Submitted materials</h2>
      {materials.length === 0 && (
        <p className="text-ink-soft">Nothing was handed in with this review.</p>
      )}
      <ul className="material-links">
        {materials.map((material) => (
          <li key={material.label}>
            <MaterialLink material={material} />
          </li>
        ))}
      </ul>
      {pages.map(({ part, notice, isComing }) => (
        <PagesNotice key={part} part={part} notice={notice} isComing={isComing} />
      ))}
      {readable.map((material, index) => (
        <details key={material.label} className="material" name="material" open={index === 0}>
          <summary>
            <Icon name="chevron-down" />
            {material.label}
          </summary>
          {material.shownAs === "pdf" ? (
            // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox
            <iframe
              src={`${material.href}#view=FitH&navpanes=0`}
              title={material.label}
              loading="lazy"
            />
          ) : (
            <img src={material.href!} alt={`${material.label} of the customer`} loading="lazy" />
          )}
        </details>
      ))}
      {children}
    </section>
  );
}

/** The pages as people see them or, in their place, what software makes of them. */
function Readers({
  workspace: { reviewId, pages },
  readings,
  children,
}: {
  workspace: Pick<Workspace, "reviewId" | "pages">;
  readings: MachineReading[] | null;
  children: ReactNode;
}) {
  if (pages.every((part) => part.pages.length === 0)) return children;
  const address = `/reviewer/submission/${reviewId}`;
  return (
    <>
      <TabLinks
        label="How to read it"
        items={[
          { label: "Pages", to: address, current: !readings },
          { label: "What software reads", to: `${address}?reading`, current: readings !== null },
        ]}
      />
      {readings ? <MachineReadings readings={readings} /> : children}
    </>
  );
}

/** Which pages are not there, and why. */
function PagesNotice({ part, notice, isComing }: Pick<PartPages, "part" | "notice" | "isComing">) {
  return (
    <p className="pages-notice" aria-live="polite" data-coming={isComing || undefined}>
      {notice && (
        <>
          <strong>{partNames[part]}:</strong> {notice}
        </>
      )}
    </p>
  );
}

/** What stands where there is nothing to pin remarks to. */
function NothingToPin() {
  return (
    <div className="nothing-to-pin">
      <p>
        Screenshots stand in for pages: add some of what you mean, and pin your remarks to them.
      </p>
      <a className="button button-secondary" href="#screenshots">
        <Icon name="plus" />
        Add screenshots
      </a>
    </div>
  );
}

function MaterialLink({ material: { label, href, text, shownAs } }: { material: Material }) {
  const words = (
    <>
      <strong>{label}</strong>
      <span>{text}</span>
    </>
  );
  if (!href) return <p>{words}</p>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <Icon name={shownAs === "download" ? "download" : "external"} />
      {words}
      <span className="sr-only">
        {shownAs === "download" ? "(download)" : "(opens in a new tab)"}
      </span>
    </a>
  );
}
