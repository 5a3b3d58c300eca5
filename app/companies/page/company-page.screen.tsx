import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { currentActor, getSignedInActor } from "../../accounts/actor.server.ts";
import { requireSignIn } from "../../accounts/guards.server.ts";
import { restoreInterruptedForm } from "../../accounts/interrupted-forms.server.ts";
import { documentProcess } from "../../files/inspect/document-process.server.ts";
import { readFormWithFile } from "../../files/receive/one-file-form.server.ts";
import { formatBytes } from "../../files/rules.ts";
import { FileField } from "../../files/upload-ui/file-field.tsx";
import { appContext } from "../../platform/app-context.server.ts";
import { formatShortDateTime } from "../../platform/clock.ts";
import {
  createFormActions,
  createFormIntent,
  showReasonAboveForm,
} from "../../platform/forms.server.ts";
import { countTry } from "../../platform/rate-limit.server.ts";
import { redirect } from "../../platform/redirect.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import {
  CheckboxField,
  Field,
  FormAlert,
  TextAreaField,
  useFocusFirstError,
} from "../../ui/form/field.tsx";
import { BackLink } from "../../ui/layout/back-link.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Link } from "../../ui/link.tsx";
import { buildPrivateMeta } from "../../ui/meta.ts";
import { revalidateAfterRefusal } from "../../ui/refused-forms.ts";
import { CompanyLogo } from "../logo/company-logo.tsx";
import { renderLogo } from "../logo/logos.server.ts";
import { buildLogoAddress, maxLengths, maxPageChanges, maxUploadedLogoBytes } from "../rules.ts";
import type { Route } from "./+types/company-page.screen.ts";
import {
  companyPageForm,
  getNewestPage,
  getOwnPage,
  sendPageChange,
  withdrawPageChange,
} from "./change-page.server.ts";
import { getPageVersion } from "./company-page.server.ts";
import stylesheet from "./company-page.screen.css?url";
import * as formStyles from "../../ui/form/stacked-form.module.css";
import * as styles from "./company-page.module.css";

const title = "Your company's page";

export const middleware = [requireSignIn];

export const meta: Route.MetaFunction = ({ matches }) => buildPrivateMeta(matches, title);

export const headers = () => ({ "Cache-Control": "private, no-store" });

export async function loader({ request, params: { companyId }, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const own = await getOwnPage(db, context.get(currentActor), companyId);
  const { version, logoHash, name, website, about } = getNewestPage(own);
  const { version: opened, ...typed } = await restoreInterruptedForm(context, request);
  return {
    company: own.page.name,
    domain: own.domain,
    publicPath: own.state === "approved" ? (`/companies/${own.slug}` as const) : null,
    logo: buildLogoAddress({ slug: own.slug, logoHash }),
    version: opened ?? version,
    saved: { name, website, about },
    typed,
    change: own.change && describeOpenChange(own.change, getPageVersion(own.page)),
  };
}

function describeOpenChange(
  {
    state,
    reason,
    sentAt,
    version,
    baseVersion,
  }: NonNullable<Awaited<ReturnType<typeof getOwnPage>>["change"]>,
  published: string,
) {
  return {
    version,
    sentOn: state === "waiting" ? formatShortDateTime(sentAt) : null,
    reason,
    isOutdated: baseVersion !== published,
  };
}

export const action = createFormActions(
  {
    "send-page": createFormIntent({
      schema: companyPageForm,
      async run({ params: { companyId = "" }, context, value, form }) {
        const { db, config } = context.get(appContext);
        const actor = getSignedInActor(context);
        // A stranger has no logo rendered.
        await getOwnPage(db, actor, companyId);
        await countTry({ db, config }, maxPageChanges, actor.id);
        const picture = await renderLogo(context.get(documentProcess), actor, form.get("logo"));
        await sendPageChange(db, actor, { companyId, picture, ...value });
      },
      done: (_sent, { params }) => ({
        toast: { kind: "success" as const, title: "Sent to our team" },
        data: redirect(`/post/company/${params.companyId}/page`),
      }),
      failed: showReasonAboveForm("We couldn't send your change"),
    }),
    "withdraw-page": createFormIntent({
      schema: z.object({ version: z.string() }),
      run: ({ params: { companyId = "" }, context, value: { version } }) =>
        withdrawPageChange(context.get(appContext).db, context.get(currentActor), {
          companyId,
          version,
        }),
      done: (_withdrawn, { params }) => ({
        toast: { kind: "success" as const, title: "Change withdrawn" },
        data: redirect(`/post/company/${params.companyId}/page`),
      }),
      failed: showReasonAboveForm("We couldn't withdraw your change"),
    }),
  },
  (request) => readFormWithFile(request, maxUploadedLogoBytes),
);

export const shouldRevalidate = revalidateAfterRefusal;

export default function OwnCompanyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { company, publicPath, change } = loaderData;
  return (
    <Page
      width="text"
      back={<BackLink to="/post/team">Your team</BackLink>}
      title={title}
      intro={
        publicPath ? (
          <>
            Designers see <Link to={publicPath}>the published page</Link> until our team has read
            your change.
          </>
        ) : (
          `The page of ${company} goes online with its first listing.`
        )
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      {change && <ChangeNote {...change} />}
      <Card>
        {/* Another version has another logo, so a file that was sent isn't chosen any more. */}
        <PageFields key={loaderData.version} {...loaderData} refused={actionData ?? null} />
      </Card>
      {change && <WithdrawForm version={change.version} />}
    </Page>
  );
}

type LoadedChange = NonNullable<Route.ComponentProps["loaderData"]["change"]>;

function ChangeNote({ sentOn, reason, isOutdated }: LoadedChange) {
  return (
    <div className={styles.note}>
      {sentOn && <p>Waiting for our check. Sent {sentOn}. You can still change or withdraw it.</p>}
      {reason !== null && (
        <p className="wrap-anywhere">
          <strong>Please change:</strong> {reason}
        </p>
      )}
      {isOutdated && (
        <p>
          The published page has changed since this change was started. Our team compares both. To
          start again from the published page, withdraw your change.
        </p>
      )}
    </div>
  );
}

function PageFields({
  domain,
  logo,
  saved,
  typed,
  version,
  refused,
}: Pick<Route.ComponentProps["loaderData"], "domain" | "logo" | "saved" | "typed" | "version"> & {
  refused: Route.ComponentProps["actionData"] | null;
}) {
  const { errors = {}, values = {} }: Partial<Refused> =
    refused && "errors" in refused ? refused : {};
  useFocusFirstError(refused && "errors" in refused ? refused.errors : undefined);
  // Sending replaces the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formMethod === "POST";
  const texts: Record<string, string> = { ...saved, ...typed, ...values };
  const of = (name: "name" | "website" | "about") => ({
    name,
    defaultValue: texts[name],
    error: errors[name],
    maxLength: maxLengths[name],
    readOnly,
  });
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      noValidate
      preventScrollReset
      className={formStyles.form}
    >
      <FormAlert>{errors[""]}</FormAlert>
      {/* Before the file, so that they are read even if the file is far too large. */}
      <input type="hidden" name="intent" value="send-page" />
      <input type="hidden" name="version" value={values.version ?? version} />
      <Field
        label="Company name *"
        {...of("name")}
        required
        autoComplete="organization"
        hint="On the company's page and in lists. Published listings keep the name that they have."
      />
      <Field
        label="Website *"
        {...of("website")}
        required
        inputMode="url"
        autoComplete="url"
        hint={`At ${domain}, like your work emails.`}
      />
      <TextAreaField
        label="About the company"
        {...of("about")}
        rows={8}
        hint="What you make, and how designers work with you."
      />
      <div className={styles.logo}>
        <CompanyLogo address={logo} alt="The present logo" size={64} />
        <FileField
          label={logo ? "Another logo" : "Logo"}
          name="logo"
          accept=".png,.jpg,.jpeg,.webp,image/png,image/jpeg,image/webp"
          error={errors.logo}
          hint={`PNG, JPEG or WebP, up to ${formatBytes(maxUploadedLogoBytes)}. We fit it into a square on a white plate.`}
        />
      </div>
      {logo && (
        <CheckboxField
          label="Remove the logo"
          name="removesLogo"
          value="yes"
          defaultChecked={Boolean(texts.removesLogo)}
        />
      )}
      <SubmitButton intent="send-page" pendingLabel="Sending...">
        Send to our team
      </SubmitButton>
    </Form>
  );
}

type Refused = { errors: Record<string, string>; values: Record<string, string> };

function WithdrawForm({ version }: { version: string }) {
  return (
    <details className={styles.withdraw}>
      <summary>Withdraw this change</summary>
      <Form method="post">
        <p>This deletes its text and its logo. The published page stays as it is.</p>
        <input type="hidden" name="version" value={version} />
        <SubmitButton
          intent="withdraw-page"
          variant="danger"
          size="sm"
          pendingLabel="Withdrawing..."
        >
          Withdraw the change
        </SubmitButton>
      </Form>
    </details>
  );
}
