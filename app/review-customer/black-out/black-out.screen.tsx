import { useRef, useState } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { useComingPages } from "../../annotations/document-pages/use-coming-pages.ts";
import { isWholePage } from "../../annotations/hiding/hidden-areas.ts";
import { HidingSheet } from "../../annotations/hiding/hiding-sheet.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { NotFound } from "../../platform/errors.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import type { OwnPath } from "../../platform/own-path.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { type PageBox, originalDays } from "../../reviews/black-out.ts";
import { partNames } from "../../reviews/rubric.ts";
import type { Service } from "../../reviews/rules.ts";
import type { Offer } from "../../reviews/second-looks.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert } from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { getShownOffer } from "../buy/shown-offer.server.ts";
import { type Part, parts } from "../buy/submission.ts";
import type { Route } from "./+types/black-out.screen.ts";
import { findBlackOut, requestCopy, restoreOriginal } from "./black-outs.server.ts";
import stylesheet from "./black-out.screen.css?url";
import { BoxRows } from "./box-rows.tsx";
import { getPageFieldName, listTypedBoxes } from "./boxes.ts";
import { readBoxes } from "./read-boxes.server.ts";
import * as styles from "./black-out.module.css";
import * as buttonStyles from "../../ui/form/button.module.css";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  buildPrivateMeta(matches, loaderData && formatPartTitle(loaderData.part));

export async function loader(args: Route.LoaderArgs) {
  const { context } = args;
  const { db } = context.get(appContext);
  const { offer, part } = await requireStep(args);
  const blackOut = await findBlackOut(db, getSignedInActor(context), offer, part);
  return { part, step: getPartPath(offer, part), blackOut };
}

const blackOutForm = createFormIntent({
  schema: z.looseObject({ version: z.string() }),
  async run({ value: { version }, values, ...args }) {
    const { context } = args;
    const { db, config } = context.get(appContext);
    const { offer, part } = await requireStep(args);
    const blackOut = await findBlackOut(db, getSignedInActor(context), offer, part);
    const pages = (blackOut?.pages ?? []).map(({ number }) => number);
    await requestCopy({ db, config }, context.get(currentActor), offer, {
      part,
      boxes: readBoxes(values, pages),
      shownVersion: version,
    });
    return getPartPath(offer, part);
  },
  done: (step) => ({ data: redirect(step) }),
  failed: showReasonAboveForm("We couldn't black out these boxes"),
});

const restoreForm = createFormIntent({
  schema: z.object({}),
  async run(args) {
    const { context } = args;
    const { offer, part } = await requireStep(args);
    const { db } = context.get(appContext);
    await restoreOriginal(db, context.get(currentActor), offer, part);
    return getPartPath(offer, part);
  },
  done: (step) => ({ data: redirect(step) }),
  failed: showReasonAboveForm("We couldn't take the boxes back"),
});

export const action = createFormActions({ "black-out": blackOutForm, "use-original": restoreForm });

export const shouldRevalidate = revalidateAfterRefusal;

/**
 * Finds the part of the address; the first one that the service needs if it has none.
 *
 * @throws {NotFound} for a part that the service does not take.
 * @throws the errors of `getShownOffer`.
 */
async function requireStep({ url, params, context }: Shown): Promise<{ offer: Offer; part: Part }> {
  const path = url.pathname.replace(/\/black-out\/?$/i, "");
  const offer = await getShownOffer({ url: new URL(path, url), params, context });
  const allowed = parts.filter((one) => offer.needs[one]);
  const typed = url.searchParams.get("part") ?? allowed[0];
  const part = allowed.find((one) => one === typed);
  if (!part) throw new NotFound();
  return { offer, part };
}

type Shown = Parameters<typeof getShownOffer>[0];

function getPartPath({ path }: Pick<Service, "path">, part: Part): OwnPath {
  return `${path}?step=${part}`;
}

const formatPartTitle = (part: Part) => `Black out parts of your ${part}`;

export default function BlackOut({ loaderData, actionData }: Route.ComponentProps) {
  const { part, step, blackOut } = loaderData;
  useComingPages(blackOut?.isComing ?? false);
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <Page
      title={formatPartTitle(part)}
      intro={
        <p>
          The reviewer sees a copy. What you black out is not in it. The copy is pictures of your
          pages, without text, links or other contents of your file. Your original stays private. We
          delete it {originalDays} days after the review is completed.
        </p>
      }
      back={<BackLink to={step}>Back to your {part}</BackLink>}
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {blackOut && blackOut.copy !== "none" && (
        <Form method="post" className={styles.original}>
          <p>{stateMessages[blackOut.copy]}</p>
          <SubmitButton
            intent="use-original"
            variant="secondary"
            size="sm"
            pendingLabel="Taking them back…"
          >
            Use your original instead
          </SubmitButton>
        </Form>
      )}
      {blackOut?.isWhole ? (
        <BoxForm part={part} blackOut={blackOut} refused={refused} />
      ) : (
        <MissingPages blackOut={blackOut} />
      )}
    </Page>
  );
}

type BlackOutView = NonNullable<Route.ComponentProps["loaderData"]["blackOut"]>;

/** Says why there are no pages to draw on. */
function MissingPages({ blackOut }: { blackOut: BlackOutView | null }) {
  if (!blackOut) {
    return (
      <EmptyState drawing="table" title="You haven't uploaded this file yet">
        <p>Upload a PDF or an image first. You can&apos;t black out parts of a link.</p>
      </EmptyState>
    );
  }
  const { isComing, isShown, notice } = blackOut;
  if (isComing) {
    return (
      <EmptyState drawing="table" title="Preparing pages…">
        <p>This takes a moment.</p>
        <noscript>Reload this page to see them.</noscript>
      </EmptyState>
    );
  }
  return (
    <EmptyState drawing="table" title="You can't black out parts of this file">
      <p>
        {isShown
          ? `${notice ?? ""} You can black out parts only if we can show every page.`
          : "We can't show it as pages. Save it as a PDF and upload that instead."}
      </p>
    </EmptyState>
  );
}

const stateMessages = {
  coming: "We're making your copy with the boxes below.",
  failed: "We couldn't make your copy. Try again or use your original.",
  made: "Your copy is ready. You can change its boxes until you pay.",
} as const;

type FormProps = {
  part: Part;
  blackOut: BlackOutView;
  refused: { errors: Record<string, string>; values: Record<string, string> } | undefined;
};

/** The pages with their boxes, which are the fields of the form. */
function BoxForm({ part, blackOut, refused }: FormProps) {
  const { pages, boxes: saved, version, problem } = blackOut;
  // The boxes belong to this version, also after a reload of the data.
  const [firstVersion] = useState(version);
  const { boxes, change, undo, canUndo, gestures } = useBoxes(
    refused
      ? listTypedBoxes(refused.values)
      : saved.filter((box) => !isWholePage({ part, ...box })),
  );
  const failure = Object.values(refused?.errors ?? {})[0] ?? problem;
  return (
    <Form method="post" className={styles.form} preventScrollReset noValidate {...gestures}>
      <input type="hidden" name="version" value={firstVersion} />
      <FormAlert>{failure}</FormAlert>
      <div className={styles.pages}>
        {pages.map((page) => (
          <HidingSheet
            key={page.number}
            page={page}
            label={`${partNames[part]}, page ${page.number}`}
            name={getPageFieldName(page.number)}
            suggestions={[]}
            areas={boxes.filter((box) => box.page === page.number).map((box) => ({ part, ...box }))}
            isWhole={saved.some((box) => box.page === page.number && isWholePage({ part, ...box }))}
            onChange={(areas) =>
              change([
                ...boxes.filter((box) => box.page !== page.number),
                ...areas.map(({ part: _part, ...box }) => box),
              ])
            }
          />
        ))}
      </div>
      <BoxRows boxes={boxes} values={refused?.values ?? {}} onChange={change} />
      <div className={styles.actions}>
        <SubmitButton intent="black-out" pendingLabel="Saving the boxes…">
          Black out
        </SubmitButton>
        <button
          type="button"
          className={`${buttonStyles.button} ${buttonStyles.secondary} needs-scripts`}
          disabled={!canUndo}
          onClick={undo}
        >
          Undo
        </button>
      </div>
    </Form>
  );
}

/** Keeps boxes and their earlier states. Changes of one gesture, such as a drag, are undone together. */
function useBoxes(initial: PageBox[]) {
  const [states, setStates] = useState([initial]);
  const gesture = useRef(0);
  const changedBy = useRef(0);
  const count = () => {
    gesture.current++;
  };
  return {
    boxes: states.at(-1)!,
    change(boxes: PageBox[]) {
      const sorted = boxes.toSorted((one, other) => one.page - other.page);
      const isSameGesture = changedBy.current === gesture.current && states.length > 1;
      changedBy.current = gesture.current;
      setStates([...(isSameGesture ? states.slice(0, -1) : states), sorted]);
    },
    undo: () => setStates(states.slice(0, -1)),
    canUndo: states.length > 1,
    gestures: { onPointerDownCapture: count, onKeyDownCapture: count },
  };
}
