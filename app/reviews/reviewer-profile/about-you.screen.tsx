import { Form } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { appContext } from "../../platform/app-context.server.ts";
import {
  createFormAction,
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
import { saveIntroduction, findOwnIntroduction, addInitial } from "./introductions.server.ts";
import { type Introduction, introductionLimits as limits, YourReviewer } from "./introduction.tsx";

const title = "About you";

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const [own, held] = await Promise.all([
    findOwnIntroduction(db, getSignedInActor(context)),
    restoreInterruptedForm(context, request),
  ]);
  return { own: own && addInitial(own), held };
}

/** Builds the schema of a single line: line breaks become spaces. */
const buildLineSchema = (longest: number) =>
  z
    .string()
    .transform((typed) => cleanLine(typed).replace(/\s+/g, " "))
    .refine((text) => text.length <= longest, `Please keep this within ${longest} characters`);

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
  })
  .superRefine(({ firstName, field, about }, context) => {
    const isTakenBack = !firstName && !field && !about;
    if (isTakenBack) return;
    const missing = (path: keyof Introduction, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (!firstName) missing("firstName", "Please enter your first name");
    if (!field) missing("field", "Please enter what you work in");
  });

export const action = createFormAction({
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

export default function AboutYou({ loaderData: { own, held }, actionData }: Route.ComponentProps) {
  const refused = actionData && "errors" in actionData ? actionData : undefined;
  useFocusFirstError(refused?.errors);
  const errors = refused?.errors ?? {};
  const sent = refused?.values ?? held;
  const typed = { ...own, ...sent };
  // A form that was sent without the box has it unticked.
  const isPublic = "firstName" in sent ? sent.isPublic === "yes" : own?.isPublic;
  return (
    <Page
      back={<BackLink to="/reviewer">Reviewer Dashboard</BackLink>}
      title={title}
      width="text"
      intro="Customers see this once their review is assigned to you, and next to the result. Leave it all empty to show nothing."
    >
      <Form method="post" className="own-stack" noValidate>
        <FormAlert>{errors[""]}</FormAlert>
        {own?.isHidden && (
          <p className="note">
            <Icon name="eye-off" />
            An administrator has hidden this from customers. What you change stays hidden until it
            is shown again.
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
        <CheckboxField
          label="Show this on the services page too, under “Who reads your work”"
          name="isPublic"
          value="yes"
          defaultChecked={isPublic}
          hint="Everyone, also without an account, and search engines can then read your first name, what you work in and the line about you. Never your email address. Untick this and save to be removed at once."
        />
        <SubmitButton pendingLabel="Saving...">Save</SubmitButton>
      </Form>
      {own?.firstName && (
        <section className="about-you-shown">
          <h2>As customers read it</h2>
          <YourReviewer reviewer={own} />
        </section>
      )}
    </Page>
  );
}
