import type { ReactNode } from "react";
import { data, Form } from "react-router";
import { z } from "zod";
import { appContext } from "../../platform/app-context.server.ts";
import {
  buildSuccess,
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { countAsker } from "../../platform/rate-limit.server.ts";
import { secretLinkHeaders } from "../../platform/signed-ids.server.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { FormAlert, useFocusFirstError } from "../../ui/form/field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { answerByClient, recordContactAnswer } from "./answer-question.server.ts";
import stylesheet from "./check.screen.css?url";
import type { Route } from "./+types/check.screen.ts";
import {
  closedListing,
  findQuestion,
  invalidLink,
  type NamingListing,
  replacedContact,
  type ShownQuestion,
} from "./find-question.server.ts";
import { removeContact } from "./remove-contact.server.ts";
import { describeAnswer, type JobAnswer, linkLifetime } from "./rules.ts";
import { countNoun } from "../../platform/count-noun.ts";
import { day } from "../../platform/clock.ts";
import * as styles from "./check.module.css";

const question = "Is this job still open?";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, question);

export const headers = () => secretLinkHeaders;

/** Shows the question and changes nothing, since mail scanners open links. */
export async function loader({ params: { token }, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const question = await findQuestion(db, token);
  const view = question && { ...question, ...describeState(question) };
  const status = !question ? 404 : question.state === "expired" ? 410 : 200;
  return data({ view, invalidLink, productName: config.product.name }, { status });
}

/** Returns the title and the sentence for a question; null while it waits for an answer. */
function describeState({ state, answer, answeredAt }: ShownQuestion): {
  title: string;
  sentence: string | null;
} {
  if (state === "answered" && answer && answeredAt) {
    const title = answer === "withdrawn" ? "Your name is removed" : "Thank you for your answer";
    return { title, sentence: describeAnswer(answer, answeredAt) };
  }
  if (state === "closed") return { title: "This job is closed", sentence: closedListing };
  if (state === "replaced")
    return { title: "You are no longer the contact", sentence: replacedContact };
  if (state === "expired")
    return {
      title: "This link is too old",
      sentence: `This link is more than ${countNoun(linkLifetime / day, "day")} old.`,
    };
  return { title: question, sentence: null };
}

export const action = createFormActions({
  open: createAnswerIntent("open"),
  filled: createAnswerIntent("filled"),
  closed: createAnswerIntent("closed"),
  remove: createFormIntent({
    schema: z.object({}),
    async run({ params: { token = "" }, context }) {
      const { db, config } = context.get(appContext);
      await countAsker(context, answerByClient);
      await removeContact(db, config, token);
    },
    done: () => buildSuccess("We removed your name and address"),
    failed: showReasonAboveForm("We couldn't remove your name"),
  }),
});

function createAnswerIntent(answer: JobAnswer) {
  return createFormIntent({
    schema: z.object({}),
    async run({ params: { token = "" }, context }) {
      const { db, config } = context.get(appContext);
      await countAsker(context, answerByClient);
      await recordContactAnswer(db, config, { token, answer });
    },
    done: () => buildSuccess("Answer saved"),
    failed: showReasonAboveForm("We couldn't save your answer"),
  });
}

export const shouldRevalidate = revalidateAfterRefusal;

export default function Check({ loaderData, actionData }: Route.ComponentProps) {
  const { view, productName } = loaderData;
  const errors = actionData && "errors" in actionData ? actionData.errors : undefined;
  useFocusFirstError(errors);
  if (!view)
    return (
      <Page width="text" title={question}>
        <link rel="stylesheet" href={stylesheet} precedence="default" />
        <EmptyState
          drawing="lost"
          title={loaderData.invalidLink}
          action={<ButtonLink to="/jobs">Back to Jobs</ButtonLink>}
        >
          To change or remove a listing, <Link to="/contact">write to us</Link>.
        </EmptyState>
      </Page>
    );
  const { job, state, title, sentence, listings, canAnswer, answer } = view;
  return (
    <Page
      width="text"
      title={title}
      intro={
        <p>
          “{job.title}” at {job.company}
        </p>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <FormAlert>{errors?.[""]}</FormAlert>
      {sentence === null ? (
        <Card>
          <CheckForm answer={null} />
        </Card>
      ) : (
        <Card>
          <div className={styles.answer}>
            <p>{sentence}</p>
            <NextLink job={job} />
            {canAnswer && <CheckForm answer={answer} />}
            {state === "expired" && (
              <p>
                To change the listing or to have your name removed,{" "}
                <Link to="/contact">write to us</Link>.
              </p>
            )}
          </div>
        </Card>
      )}
      {listings.length > 0 && (
        <ShownData listings={listings} hasMore={view.hasMore} productName={productName} />
      )}
      {view.canRemove && <RemovalForm listings={listings.length} />}
    </Page>
  );
}

/** The answers except the given one. @param answer null if they gave none yet */
function CheckForm({ answer }: { answer: ShownQuestion["answer"] }) {
  return (
    <Form method="post" preventScrollReset className={styles.answer}>
      {answer && <p>Has this changed? Press another answer. Your last one counts.</p>}
      {answer !== "open" && (
        <p>
          With “Still open” you also agree to be the contact for this job, and that we show the
          details below. You can withdraw later with “Remove my name”, or by{" "}
          <Link to="/contact">writing to us</Link>. “Filled” and “Closed” take the job off the
          board.
        </p>
      )}
      <div className={styles.buttons}>
        {answerButtons
          .filter(({ intent }) => intent !== answer)
          .map(({ intent, label }) => (
            <SubmitButton
              key={intent}
              intent={intent}
              variant={intent === "open" && answer === null ? "primary" : "secondary"}
              pendingLabel="Saving..."
            >
              {label}
            </SubmitButton>
          ))}
      </div>
    </Form>
  );
}

const answerButtons = [
  { intent: "open", label: "Still open" },
  { intent: "filled", label: "Filled" },
  { intent: "closed", label: "Closed" },
] as const;

function NextLink({ job }: { job: ShownQuestion["job"] }) {
  return job.isOpen ? (
    <ButtonLink to={`/jobs/${job.id}`} variant="secondary">
      See the listing
    </ButtonLink>
  ) : (
    <ButtonLink to="/jobs" variant="secondary">
      Back to Jobs
    </ButtonLink>
  );
}

/** Shows the contact what the product has about them, and who can see it. */
function ShownData({
  listings,
  hasMore,
  productName,
}: {
  listings: NamingListing[];
  hasMore: boolean;
  productName: string;
}) {
  return (
    <section className={styles.section} aria-labelledby="shown">
      <h2 id="shown">What we show about you</h2>
      <p>
        {productName} is a job board for designers. The details come from the person who added the
        listing. Our <Link to="/privacy/notice">privacy notice</Link> says how we use them.
      </p>
      {listings.map((listing) => (
        <article key={listing.id} className={styles.listing}>
          <h3>{formatTitle(listing)}</h3>
          <dl>
            <ListingFact name="Your name">{listing.pocName}</ListingFact>
            <ListingFact name="How to reach you">{listing.pocContact}</ListingFact>
            <ListingFact name="Your address for our questions (only our team sees it)">
              {listing.checkEmail}
            </ListingFact>
            <ListingFact name="Who sees this">
              {listing.isOpen ? "People who are logged in" : "Only our team. It isn't public."}
            </ListingFact>
          </dl>
        </article>
      ))}
      {hasMore && <p>Your address is in more listings than these.</p>}
    </section>
  );
}

function formatTitle({ title, company }: NamingListing): string {
  return `“${title}” at ${company}`;
}

function ListingFact({ name, children }: { name: string; children: ReactNode }) {
  return children ? (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  ) : null;
}

function RemovalForm({ listings }: { listings: number }) {
  return (
    <section className={styles.section} aria-labelledby="remove">
      <h2 id="remove">Remove my name</h2>
      <p>
        We delete your name and how to reach you from {removalPlaces[Math.min(listings, 2)]}, and
        from our emails to you.{" "}
        {listings > 0 && "A listing leaves the board if people can't apply on a page. "}
        You can&apos;t undo this. If other texts name you, such as a job&apos;s title, our team
        decides about them. We hide the job until then.
      </p>
      <p>
        We keep a code made from your address, so that we never ask you again. Nobody can read your
        address from it.
      </p>
      <Form method="post" preventScrollReset>
        <SubmitButton intent="remove" variant="danger" pendingLabel="Removing...">
          Remove my name
        </SubmitButton>
      </Form>
    </section>
  );
}

/** The texts for no, one or several listings with the address. */
const removalPlaces = [
  "the history of listings",
  "this listing and its history",
  "all listings with your address and their history",
];
