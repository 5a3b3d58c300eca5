import { data, Form, useNavigation } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { appContext } from "../platform/app-context.server.ts";
import { now } from "../platform/clock.ts";
import { createFormAction } from "../platform/forms.server.ts";
import type { OwnPath } from "../platform/own-path.ts";
import { countAsker, countTry } from "../platform/rate-limit.server.ts";
import { isOtherUserError, unsent } from "../ui/feedback/send-form.ts";
import { Icon } from "../ui/brand/icon.tsx";
import { showToast } from "../ui/feedback/toasts.tsx";
import { Button, SubmitButton } from "../ui/form/button.tsx";
import { Field, FormAlert, TextAreaField, useFocusFirstError } from "../ui/form/field.tsx";
import { FormSent } from "../ui/form/form-sent.tsx";
import { SpamTrap } from "../ui/form/spam-trap.tsx";
import { Page } from "../ui/layout/page.tsx";
import { Link } from "../ui/link.tsx";
import { type PublicScreen, buildPublicMeta } from "../ui/meta.ts";
import type { Route } from "./+types/new-message.screen.ts";
import {
  messageByAddress,
  messageByClient,
  messageForm,
  sendMessage,
} from "./send-message.server.tsx";
import { complaintPromise, GrievanceOfficer, GstinDetail } from "./seller-details.tsx";
import type { ProductFacts } from "./legal-page.tsx";
import { newMessagePage } from "./pages.ts";
import { kindIntent, kindLabels, messageKinds } from "./rules.ts";
import stylesheet from "./new-message.screen.css?url";
import * as styles from "./contact.module.css";
import * as drawingsStyles from "../ui/brand/drawings.module.css";

const failure = "There was a problem sending your message. Please try again.";
/** Shown above the form; a toast gives the reason. */
const notSent = "We couldn't send your message. Your text is still here.";

export const handle: PublicScreen = { page: newMessagePage, isCached: true };

export const meta: Route.MetaFunction = ({ matches }) => buildPublicMeta(matches, newMessagePage);

export function loader({ context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  return {
    product: context.get(appContext).config.product,
    sender: { name: actor?.fullName ?? "", email: actor?.email ?? "" },
    renderedAt: String(now().getTime()),
  };
}

export const action = createFormAction({
  schema: messageForm,
  async run({ context, value: form }) {
    const { db, config } = context.get(appContext);
    await countAsker(context, messageByClient);
    await countTry({ db, config }, messageByAddress, form.email);
    const sender = context.get(currentActor);
    return sendMessage(db, config, { form, sender });
  },
  done: (sent) => ({
    toast: {
      kind: "success",
      title: "Message Sent",
      description: "Thank you for contacting us. We'll get back to you soon.",
    },
    data: { sent, errors: {}, values: {} },
  }),
  failed: "Error",
  fallback: failure,
});

/**
 * Keeps the text in the form when the server can't be reached. Leaving the page before the response shows no error:
 * the message may have arrived, and a retry would send it twice.
 */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Error) || isOtherUserError(error) || request.signal.aborted) throw error;
    showToast({ kind: "error", title: "Error", description: failure });
    return data({ errors: { "": failure }, values: {} }, { status: unsent });
  }
}

export default function NewMessage({ loaderData, actionData }: Route.ComponentProps) {
  const { product, sender, renderedAt } = loaderData;
  return (
    <Page
      title="Contact Us"
      intro={
        <>
          Questions about a review or a job, or something that doesn&apos;t work? Write to us.
          <span className={styles.dated}>Last updated: 05-05-2025</span>
        </>
      }
    >
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <div className={styles.layout}>
        <MessageForm
          sent={actionData && "sent" in actionData ? actionData.sent : null}
          errors={actionData?.errors}
          values={{ ...sender, renderedAt, ...actionData?.values }}
        />
        <OurDetails product={product} />
        <LegalDetails product={product} />
      </div>
    </Page>
  );
}

function OurDetails({ product }: { product: ProductFacts }) {
  const { supportEmail, supportPhone } = product;
  return (
    <aside className={styles.ways}>
      <PostRoute />
      <p>
        You may find your answer in the <Link to="/faq">FAQ</Link>.
      </p>
      <section>
        <h2>Phone</h2>
        <p>
          <a href={`tel:${supportPhone.replace(/\s/g, "")}`}>
            <Icon name="phone" />
            {supportPhone}
          </a>
        </p>
        <p>Monday to Friday, 10am to 6pm IST</p>
      </section>
      <section>
        <h2>Email</h2>
        <p>
          <a href={`mailto:${supportEmail}`}>
            <Icon name="mail" />
            {supportEmail}
          </a>
        </p>
        <p>We reply as soon as possible.</p>
      </section>
    </aside>
  );
}

function LegalDetails({ product }: { product: ProductFacts }) {
  const { merchant, address, officer, tax, supportEmail } = product;
  return (
    <div className={styles.legals}>
      <section className={styles.legal}>
        <h2>Legal information</h2>
        <dl>
          <dt>Merchant legal entity name</dt>
          <dd>{merchant}</dd>
          <dt>Email</dt>
          <dd>
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </dd>
          <dt>Address</dt>
          <dd>{address}</dd>
          <GstinDetail tax={tax} />
        </dl>
      </section>
      <section className={styles.legal} id="grievance-officer">
        <h2>Grievance officer</h2>
        <p>For complaints. {complaintPromise}</p>
        <GrievanceOfficer officer={officer} />
      </section>
    </div>
  );
}

/** Draws a letter travelling over hills. */
function PostRoute() {
  return (
    <svg
      className={`${drawingsStyles.drawing} ${styles.route}`}
      viewBox="0 0 280 104"
      aria-hidden="true"
    >
      <path
        className={drawingsStyles.faint}
        d="M2 84c40-18 60 4 98-12s40-44 78-36 40 34 98 22M2 96c44-14 70 4 110-8s44-36 72-28 36 26 92 18M96 30c12-16 34-18 46-6M104 38c10-10 22-12 30-4M206 22c14-12 34-10 46 4"
      />
      <path className={drawingsStyles.route} d="M62 66c24 22 50 14 66-10s38-34 62-16 32 22 44 12" />
      <path className={drawingsStyles.fill} d="M12 42h52v34H12z" />
      <path d="M12 42h52v34H12zM12 43l26 20 26-20" />
      <path className={drawingsStyles.fill} d="m242 26 20 34h-40z" />
      <path d="m242 26 20 34h-40zM242 60v20" />
      <path className={drawingsStyles.mark} d="M242 42a6 6 0 1 1-.1 0z" />
    </svg>
  );
}

/** A sent message: its ticket number, and the path where the sender can follow it. */
type SentMessage = { ticket: string; path: OwnPath };

/** The message form. After sending, it is empty, with the ticket number above it. */
function MessageForm({
  sent,
  errors = {},
  values,
}: {
  sent: SentMessage | null;
  errors?: Record<string, string>;
  values: Record<string, string>;
}) {
  useFocusFirstError(errors);
  // Sending clears the form, so text typed meanwhile would be lost.
  const readOnly = useNavigation().formMethod === "POST";
  return (
    <section className={styles.card}>
      <h2>Send us a message</h2>
      {sent && <MessageSent key={`sent ${sent.ticket}`} {...sent} />}
      {/* A new key clears the form. noValidate, since the server's error messages replace the browser's. */}
      <Form key={sent?.ticket} method="post" noValidate className={styles.form}>
        <FormAlert>{errors[""] && notSent}</FormAlert>
        <div className={styles.who}>
          <Field
            label="Name"
            name="name"
            placeholder="Your name"
            autoComplete="name"
            defaultValue={values.name}
            readOnly={readOnly}
            error={errors.name}
          />
          <Field
            label="Email"
            name="email"
            type="email"
            placeholder="Your email"
            autoComplete="email"
            defaultValue={values.email}
            readOnly={readOnly}
            error={errors.email}
          />
        </div>
        <Field
          label="Subject"
          name="subject"
          placeholder="Message subject"
          autoComplete="off"
          defaultValue={values.subject}
          readOnly={readOnly}
          error={errors.subject}
        />
        <TextAreaField
          label="Message"
          name="message"
          placeholder="Type your message here..."
          defaultValue={values.message}
          readOnly={readOnly}
          error={errors.message}
        />
        <SpamTrap renderedAt={values.renderedAt ?? ""} />
        <SubmitButton pendingLabel="Sending...">Send Message</SubmitButton>
      </Form>
    </section>
  );
}

function MessageSent({ ticket, path }: SentMessage) {
  return (
    <FormSent className={styles.sent}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path d="M4 10h32v22H4z" />
        <path d="m4 11 16 13 16-13" />
        <path className={styles.flag} d="M20 24V2h13l-4 4 4 4H20" />
      </svg>
      <div>
        <h3>
          Your ticket number is <strong className={styles.ticket}>{ticket}</strong>
        </h3>
        <p>Quote it if you contact us about this again.</p>
        <p>We&apos;ve emailed you a confirmation, unless you got one in the last hour.</p>
        <p>
          <Link to={path}>Follow your message</Link>
        </p>
        <KindButtons path={path} />
      </div>
    </FormSent>
  );
}

/** Asks for the kind of the message. A press saves it and opens the message's own page. */
function KindButtons({ path }: { path: OwnPath }) {
  return (
    <Form method="post" action={path} className={styles.kinds}>
      <p id="kinds">What is it about? (optional)</p>
      <input type="hidden" name="intent" value={kindIntent} />
      <div role="group" aria-labelledby="kinds">
        {messageKinds.map((kind) => (
          <Button key={kind} type="submit" name="kind" value={kind} variant="secondary" size="sm">
            {kindLabels[kind]}
          </Button>
        ))}
      </div>
    </Form>
  );
}
