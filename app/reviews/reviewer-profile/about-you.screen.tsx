import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDate, getDayStart, now } from "../../platform/clock.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
  buildSuccess,
} from "../../platform/forms.server.ts";
import { cleanLine } from "../../platform/text/text.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { SubmitButton } from "../../ui/form/button.tsx";
import {
  CheckboxField,
  Field,
  FormAlert,
  TextAreaField,
  useFocusFirstError,
} from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import type { Route } from "./+types/about-you.screen.ts";
import { type Availability, availabilityLimits, getAwayRange } from "./availability.ts";
import { findOwnAvailability, saveAvailability } from "./availability.server.ts";
import { findOwnIntroduction, getReviewerCard, saveIntroduction } from "./introductions.server.ts";
import { type Introduction, introductionLimits as limits } from "./introduction.ts";
import { YourReviewer } from "./your-reviewer.tsx";
import { knownBoxes, knownBoxesSchema, readKnownBoxes } from "./known-boxes.server.ts";
import * as styles from "./introductions.module.css";
import * as ownThingsStyles from "../../accounts/own-things.module.css";
import * as fieldStyles from "../../ui/form/field.module.css";
import * as noteStyles from "../../ui/layout/note.module.css";

const title = "About you";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const actor = getSignedInActor(context);
  const [own, availability, form] = await Promise.all([
    findOwnIntroduction(db, actor),
    findOwnAvailability(db, actor),
    restoreInterruptedForm(context, request),
  ]);
  const card = own?.firstName ? await getReviewerCard(db, actor.id, own) : null;
  return { own, card, knownBoxes, availability, range: getAwayRange(now()), form };
}

/** Builds the schema of a single line: line breaks become spaces. */
const buildLineSchema = (maxLength: number) =>
  z
    .string()
    .transform((typed) => cleanLine(typed).replace(/\s+/g, " "))
    .refine((text) => text.length <= maxLength, `Please keep this within ${maxLength} characters`);

const introduction = z
  .object({
    firstName: buildLineSchema(limits.firstName),
    field: buildLineSchema(limits.field),
    about: buildLineSchema(limits.about),
    /** Absent when it isn't ticked. */
    isPublic: z
      .string()
      .optional()
      .transform((ticked) => ticked === "yes"),
    ...knownBoxesSchema,
  })
  .superRefine(({ firstName, field, about }, context) => {
    const isTakenBack = !firstName && !field && !about;
    if (isTakenBack) return;
    const missing = (path: keyof Introduction, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (!firstName) missing("firstName", "Please enter your first name");
    if (!field) missing("field", "Please enter what you work in");
  })
  .transform(({ firstName, field, about, isPublic, ...boxes }) => ({
    firstName,
    field,
    about,
    isPublic,
    ...readKnownBoxes(boxes),
  }));

/** An empty field is null. The command rejects anything else but a date and a number. */
const availabilityForm = z.object({
  awayUntil: z.string().transform((typed) => typed.trim() || null),
  reviewsADay: z.string().transform((typed) => (typed.trim() ? Number(typed) : null)),
});

const saveOwnIntroduction = createFormIntent({
  schema: introduction,
  run: ({ context, value }) =>
    saveIntroduction(context.get(appContext).db, context.get(currentActor), value),
  done: (_, { value }) =>
    buildSuccess(
      value.firstName
        ? `${value.isPublic ? "Everyone reads" : "Customers read"} this from now on`
        : "Customers read nothing of you",
    ),
  failed: showReasonAboveForm("Failed to save your introduction"),
});

const saveOwnAvailability = createFormIntent({
  schema: availabilityForm,
  run: ({ context, value }) =>
    saveAvailability(context.get(appContext).db, context.get(currentActor), value),
  done: (_, { value: { awayUntil } }) =>
    buildSuccess(
      awayUntil
        ? `You're away until ${formatShortDate(getDayStart(awayUntil))}`
        : "Your availability is saved",
    ),
  failed: showReasonAboveForm("Failed to save your availability"),
});

export const action = createFormActions({
  "save-introduction": saveOwnIntroduction,
  "save-availability": saveOwnAvailability,
});

export default function AboutYou({ loaderData, actionData }: Route.ComponentProps) {
  const { own, card, knownBoxes: boxes, availability, range, form } = loaderData;
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  const getTyped = (intent: string) => {
    const last = refused?.values ?? form;
    const isSent = last.intent === intent;
    return { errors: (isSent && refused?.errors) || {}, values: isSent ? last : {} };
  };
  return (
    <Page
      back={<BackLink to="/reviewer">Back to Dashboard</BackLink>}
      title={title}
      width="text"
      intro="Customers see this once their review is assigned to you, and next to the result. Leave it all empty to show nothing."
    >
      <IntroductionForm own={own} boxes={boxes} {...getTyped("save-introduction")} />
      {card && (
        <section className={styles.aboutYouShown}>
          <h2>As customers read it</h2>
          <YourReviewer reviewer={card} />
        </section>
      )}
      <section className={styles.aboutYouShown}>
        <h2>When you take reviews</h2>
        <AvailabilityForm
          availability={availability}
          range={range}
          {...getTyped("save-availability")}
        />
      </section>
    </Page>
  );
}

type Typed = {
  errors: Partial<Record<string, string>>;
  /** The typed texts of a refused form. */
  values: Partial<Record<string, string>>;
};

type Loaded = Route.ComponentProps["loaderData"];

function IntroductionForm({
  own,
  boxes,
  errors,
  values,
}: Typed & { own: Loaded["own"]; boxes: Loaded["knownBoxes"] }) {
  const typed = { ...own, ...values };
  // A form that was sent without a box has it unticked.
  const isSent = "firstName" in values;
  const isPublic = isSent ? values.isPublic === "yes" : own?.isPublic;
  const ticked: readonly string[] = [...(own?.knownFields ?? []), ...(own?.languages ?? [])];
  const isTicked = ({ name, value }: Box) =>
    isSent ? values[name] === "yes" : ticked.includes(value);
  return (
    <Form method="post" className={ownThingsStyles.ownStack} noValidate>
      <FormAlert>{errors[""]}</FormAlert>
      {own?.isHidden && (
        <p className={noteStyles.note}>
          <Icon name="eye-off" />
          An administrator has hidden this from customers. What you change stays hidden until it is
          shown again.
        </p>
      )}
      <Field
        label="First name"
        name="firstName"
        autoComplete="given-name"
        maxLength={limits.firstName}
        defaultValue={typed.firstName}
        error={errors.firstName}
      />
      <Field
        label="What you work in"
        name="field"
        placeholder="product design"
        maxLength={limits.field}
        defaultValue={typed.field}
        error={errors.field}
      />
      <TextAreaField
        label="A line about you (optional)"
        name="about"
        rows={2}
        maxLength={limits.about}
        hint="What you have done that helps with their work. No contacts: customers reach you through the review."
        defaultValue={typed.about ?? ""}
        error={errors.about}
      />
      <KnownBoxes legend="Fields that you know" boxes={boxes.fields} isTicked={isTicked} />
      <KnownBoxes legend="Languages that you speak" boxes={boxes.languages} isTicked={isTicked} />
      <p className={fieldStyles.hint}>
        Customers can wish for a field and a language. Our admins see who matches, and decide.
      </p>
      <CheckboxField
        label="Show this and your record to everyone"
        name="isPublic"
        value="yes"
        defaultChecked={isPublic}
        hint="On the services page, at payment and beside your results. Anyone, even without an account, and search engines can then read your first name, all of the above, and your record: your reviews in 90 days, how many were on time, and your average rating from five ratings on. Never your email address. Untick this and save to be removed at once."
      />
      {own?.isPublic && !own.isRecordPublic && (
        <p className={noteStyles.note}>
          <Icon name="info" />
          You agreed before records were shown. Everyone still sees only your first name, what you
          work in and the line about you. Save again to show all of this.
        </p>
      )}
      <SubmitButton intent="save-introduction" pendingLabel="Saving...">
        Save
      </SubmitButton>
    </Form>
  );
}

type Box = { name: string; value: string; label: string };

function KnownBoxes({
  legend,
  boxes,
  isTicked,
}: {
  legend: string;
  boxes: readonly Box[];
  isTicked(box: Box): boolean;
}) {
  return (
    <fieldset className={styles.known}>
      <legend>{legend}</legend>
      {boxes.map((box) => (
        <label key={box.name} className={fieldStyles.tick}>
          <input type="checkbox" name={box.name} value="yes" defaultChecked={isTicked(box)} />
          <span>{box.label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function AvailabilityForm({
  availability: { awayUntil, reviewsADay },
  range: { first, last },
  errors,
  values,
}: Typed & { availability: Availability; range: { first: string; last: string } }) {
  return (
    <Form method="post" className={ownThingsStyles.ownStack} noValidate>
      <FormAlert>{errors[""]}</FormAlert>
      <p className="text-ink-soft">
        Admins see this beside your name. They can still assign you a review by hand.
      </p>
      <div className={styles.aboutYouAvailability}>
        <Field
          label="Away until (optional)"
          name="awayUntil"
          type="date"
          min={first}
          max={last}
          hint="Your last day away, in Indian time."
          defaultValue={values.awayUntil ?? awayUntil ?? ""}
          error={errors.awayUntil}
        />
        <Field
          label="Reviews a day (optional)"
          name="reviewsADay"
          inputMode="numeric"
          maxLength={2}
          hint={`From 1 to ${availabilityLimits.reviewsADay}. Empty means no limit.`}
          defaultValue={values.reviewsADay ?? reviewsADay ?? ""}
          error={errors.reviewsADay}
        />
      </div>
      <SubmitButton intent="save-availability" pendingLabel="Saving...">
        Save availability
      </SubmitButton>
    </Form>
  );
}
