import { data } from "react-router";
import { currentActor } from "../accounts/actor.server.ts";
import { now } from "../platform/clock.ts";
import { attempt, readForm } from "../platform/forms.server.ts";
import { appContext, requestFacts } from "../platform/app-context.server.ts";
import { countClientTry, countTry } from "../platform/rate-limit.server.ts";
import { toast } from "../platform/toasts.server.ts";
import { Page } from "../ui/layout/page.tsx";
import { unsent } from "../ui/form/send-form.ts";
import { published } from "../ui/meta/published.ts";
import { showToast } from "../ui/feedback/toasts.tsx";
import type { Route } from "./+types/contact.screen.ts";
import { contactPage } from "./pages.ts";
import { contactForm } from "./contact-form.server.ts";
import { ContactFormView } from "./contact-form-view.tsx";
import { ContactWays } from "./contact-ways.tsx";
import { contactByAddress, contactByClient } from "./limits.server.ts";
import { sendContactMessage } from "./send-contact-message.server.tsx";
import styles from "./contact.css?url";

const failure = "There was a problem sending your message. Please try again.";

export const meta: Route.MetaFunction = ({ matches }) => published(matches, contactPage);

export function loader({ context }: Route.LoaderArgs) {
  const actor = context.get(currentActor);
  return {
    product: context.get(appContext).config.product,
    sender: { name: actor?.fullName ?? "", email: actor?.email ?? "" },
    renderedAt: String(now().getTime()),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, contactForm);
  if (!form.ok) return form.refusal;

  const { db, config } = context.get(appContext);
  const sent = await attempt(
    context,
    async () => {
      await countClientTry(
        { db, config },
        contactByClient,
        context.get(requestFacts).clientAddress,
      );
      await countTry({ db, config }, contactByAddress, form.value.email);
      const sender = context.get(currentActor);
      return sendContactMessage(db, config.product, { form: form.value, sender });
    },
    { values: form.values, fallback: failure },
  );
  if (!sent.ok) {
    toast(context, { kind: "error", title: "Error", description: sent.message });
    return sent.refusal;
  }
  toast(context, {
    kind: "success",
    title: "Message Sent",
    description: "Thank you for contacting us. We'll get back to you soon.",
  });
  return { ticket: sent.value, errors: {}, values: {} };
}

/** When the server cannot be reached, what was typed stays where it is. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    showToast({ kind: "error", title: "Error", description: failure });
    return data({ errors: { "": failure }, values: {} }, { status: unsent });
  }
}

export default function Contact({ loaderData, actionData }: Route.ComponentProps) {
  const { product, sender, renderedAt } = loaderData;
  return (
    <Page
      title="Contact Us"
      intro={
        <>
          A question about a review or a job, something that does not work, or something that is
          missing: write to us, and a person reads it.
          <span className="contact-dated">Last updated: 05-05-2025</span>
        </>
      }
      aside={<ContactWays product={product} />}
    >
      <link rel="stylesheet" href={styles} precedence="default" />
      <ContactFormView
        ticket={actionData && "ticket" in actionData ? actionData.ticket : null}
        errors={actionData?.errors}
        values={{ ...sender, renderedAt, ...actionData?.values }}
      />
    </Page>
  );
}
