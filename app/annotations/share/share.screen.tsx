import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate } from "../../platform/clock.ts";
import { Conflict, NotFound } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  withFallback,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { CheckboxField, FormAlert } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { ensureReviewPages } from "../document-pages/pages.server.ts";
import { useComingPages } from "../document-pages/use-coming-pages.ts";
import type { PageView } from "../rules.ts";
import { partNames } from "../../reviews/rubric.ts";
import { getServiceLabel } from "../../reviews/rules.ts";
import type { Route } from "./+types/share.screen.ts";
import { findSharing } from "./find-shares.server.ts";
import {
  filterDrawnAreas,
  isAreaOnPage,
  isWholePage,
  toWholePageArea,
} from "../hiding/hidden-areas.ts";
import { hiddenAreas } from "./hidden-areas.server.ts";
import { HidingSheet } from "../hiding/hiding-sheet.tsx";
import { describeLink, shareDays } from "./rules.ts";
import { closeShare, createShare } from "./shares.server.ts";
import stylesheet from "./share.screen.css?url";
import * as styles from "./share.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) =>
  buildPrivateMeta(matches, "Share a review");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const sharing = await findSharing(db, getSignedInActor(context), params.id);
  if (!sharing) throw new NotFound();
  if (sharing.areComing)
    await withFallback(context, () => ensureReviewPages(db, params.id), undefined);
  const { open, ...view } = sharing;
  return {
    ...view,
    open: open && {
      isReady: open.pages !== null,
      until: formatShortDate(open.expiresAt),
      hidden: open.hidden,
      withFeedback: open.withFeedback,
      withQuestion: open.withQuestion,
    },
  };
}

const makeLink = createFormIntent({
  schema: z.looseObject({
    areas: hiddenAreas,
    /** The number of pages that the owner checked. */
    pages: z.coerce.number(),
    private: z.string(),
    feedback: z.string(),
    question: z.string(),
  }),
  async run({ context, params, values, value }) {
    const { db, config } = context.get(appContext);
    const actor = context.get(currentActor);
    const reviewId = params.id ?? "";
    const sharing = await findSharing(db, getSignedInActor(context), reviewId);
    if (!sharing) throw new NotFound();
    // Pages that were rendered later are unchecked.
    if (sharing.areComing || sharing.pages.length !== value.pages)
      throw new Conflict("New pages have appeared. Please check all of them first.");
    const whole = sharing.pages
      .filter((page) => values[getHideFieldName(page)] === "yes")
      .map(toWholePageArea);
    const areas = value.private === "yes" ? sharing.suggestions : [];
    const token = await createShare(db, actor, {
      reviewId,
      hidden: [...whole, ...areas, ...value.areas],
      withFeedback: value.feedback === "yes",
      withQuestion: value.question === "yes",
    });
    return `${config.origin}/shared/${token}`;
  },
  done: (link) => ({
    toast: { kind: "success", title: "Link made" },
    data: { link },
  }),
  failed: showReasonAboveForm("The link could not be made"),
});

const endLink = createFormIntent({
  schema: z.object({}),
  run: ({ context, params }) =>
    closeShare(context.get(appContext).db, context.get(currentActor), {
      reviewId: params.id ?? "",
    }),
  done: () => buildSuccess("The link has ended"),
  failed: showReasonAboveForm("The link could not be ended"),
});

export const action = createFormActions({ "make-link": makeLink, "end-link": endLink });

export const shouldRevalidate = revalidateAfterRefusal;

function getHideFieldName({ part, number }: PageView): string {
  return `hide-${part}-${number}`;
}

export default function Share({ loaderData, actionData, params }: Route.ComponentProps) {
  const { serviceType, pages, suggestions, areComing, open, shareable, hasAnswer } = loaderData;
  useComingPages(areComing);
  // A new link starts with the hidden areas of the open one.
  const [areas, setAreas] = useState(() => filterDrawnAreas(open?.hidden ?? [], suggestions));
  const link = actionData && "link" in actionData ? actionData.link : null;
  const problems = actionData && "errors" in actionData ? actionData.errors : {};
  return (
    <Page
      title="Share your review"
      intro={
        <p>
          A link to your {getServiceLabel(serviceType)} for whomever you choose: a mentor, a friend,
          a team. It never shows your files, their text, what you asked before the review, or
          screenshots. It ends after {shareDays} days, or when you end it.
        </p>
      }
      back={
        <BackLink to={`/service-review/${params.id}`} prefetch="intent">
          Back to the review
        </BackLink>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {link && <NewLink key={link} link={link} />}
      {open && <OpenLink until={open.until} isReady={open.isReady} isNew={link !== null} />}
      <Form method="post" className={styles.form} preventScrollReset>
        <input type="hidden" name="intent" value="make-link" />
        <input type="hidden" name="areas" value={JSON.stringify(areas)} />
        <input type="hidden" name="pages" value={pages.length} />
        <FormAlert>{Object.values(problems)[0]}</FormAlert>
        <fieldset>
          <legend>What others see</legend>
          {!areComing && <p>{describeLink(shareable)}</p>}
          <CheckboxField
            label="Black out my name, email addresses, phone numbers and links, where they are found in the text"
            hint={
              suggestions.length > 0
                ? "Marked on the pages below."
                : "We found none in the text of your pages. They may be in a picture: check your pages, and draw over them."
            }
            name="private"
            value="yes"
            defaultChecked
          />
          <CheckboxField
            label="Show the written feedback too"
            hint="It may name you, or say what is blacked out."
            name="feedback"
            value="yes"
            defaultChecked={open?.withFeedback ?? false}
          />
          {hasAnswer && (
            <CheckboxField
              label="Show my question after the review and its answer too"
              hint="They may name you, or say what is blacked out."
              name="question"
              value="yes"
              defaultChecked={open?.withQuestion ?? false}
            />
          )}
        </fieldset>
        {pages.length > 0 && (
          <fieldset className={styles.hidingPages}>
            <legend>Pages</legend>
            {pages.map((page) => (
              <HidingSheet
                key={getHideFieldName(page)}
                page={page}
                label={`${partNames[page.part]}, page ${page.number}`}
                name={getHideFieldName(page)}
                suggestions={suggestions.filter((area) => isAreaOnPage(area, page))}
                areas={areas.filter((area) => isAreaOnPage(area, page))}
                isWhole={
                  open?.hidden.some((area) => isAreaOnPage(area, page) && isWholePage(area)) ??
                  false
                }
                onChange={(own) =>
                  setAreas((before) => [
                    ...before.filter((area) => !isAreaOnPage(area, page)),
                    ...own,
                  ])
                }
              />
            ))}
          </fieldset>
        )}
        {areComing && (
          <p role="status">Preparing pages… You can make a link when all of them are ready.</p>
        )}
        <SubmitButton intent="make-link" pendingLabel="Making the link…" disabled={areComing}>
          {open ? "Make a new link and end the earlier one" : "Make the link"}
        </SubmitButton>
      </Form>
    </Page>
  );
}

function NewLink({ link }: { link: string }) {
  const [answer, setAnswer] = useState("Copy");
  const field = useRef<HTMLInputElement>(null);
  // The button that created the link is far below it.
  useEffect(() => {
    field.current?.select();
    field.current?.scrollIntoView({ block: "center" });
  }, []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      setAnswer("Copied");
    } catch {
      // The browser can refuse, and has no clipboard without TLS.
      setAnswer("Copy it by hand");
      field.current?.focus();
      field.current?.select();
    }
  }

  return (
    <section className={styles.link} aria-labelledby="new-link">
      <h2 id="new-link">Your link</h2>
      <p>Copy it now: it is shown only here, and kept nowhere.</p>
      <div className={styles.linkRow}>
        <input
          ref={field}
          className={fieldStyles.input}
          readOnly
          value={link}
          aria-label="Link to your review"
        />
        <button
          type="button"
          className={`${buttonStyles.button} ${buttonStyles.secondary} needs-scripts`}
          onClick={copy}
        >
          <Icon name={answer === "Copied" ? "check" : "copy"} />
          <span aria-live="polite">{answer}</span>
        </button>
      </div>
    </section>
  );
}

function OpenLink({ until, isReady, isNew }: { until: string; isReady: boolean; isNew: boolean }) {
  return (
    <section className={styles.open}>
      <p>
        {isNew ? "It" : "A link to this review"} is open until {until}.{" "}
        {isReady ? "" : "Preparing its pages… This takes a moment."}
      </p>
      <Form method="post" preventScrollReset>
        <SubmitButton intent="end-link" variant="secondary" size="sm" pendingLabel="Ending…">
          End the link
        </SubmitButton>
      </Form>
    </section>
  );
}
