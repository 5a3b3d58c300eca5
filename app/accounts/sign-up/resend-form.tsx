import { useFetcher } from "react-router";
import type { FormProblems } from "../../platform/forms.server.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { EmailField, useFocusFirstError } from "../../ui/form/field.tsx";

/** Has a confirmation mail sent again; works in place with JavaScript and as a page without. */
export function ResendForm({ email, errors }: { email?: string; errors?: Record<string, string> }) {
  const fetcher = useFetcher<FormProblems>();
  const shown = fetcher.data?.errors ?? errors ?? {};
  useFocusFirstError(fetcher.data?.errors);
  return (
    <fetcher.Form method="post" action="/resend-confirmation" className="stack" noValidate>
      <EmailField defaultValue={email} error={shown.email ?? shown[""]} />
      <SendAgain isPending={fetcher.state !== "idle"} />
    </fetcher.Form>
  );
}

/** The same in one press, for an address that is known. */
export function ResendButton({ email }: { email: string }) {
  const fetcher = useFetcher<FormProblems>();
  const { errors = {} } = fetcher.data ?? {};
  return (
    <fetcher.Form
      method="post"
      action="/resend-confirmation"
      className="mt-3 mb-1 grid justify-items-start gap-2"
    >
      <input type="hidden" name="email" value={email} />
      {errors[""] && <p>{errors[""]}</p>}
      <SendAgain isPending={fetcher.state !== "idle"} />
    </fetcher.Form>
  );
}

function SendAgain({ isPending }: { isPending: boolean }) {
  return (
    <SubmitButton variant="secondary" pending={isPending} pendingLabel="Sending...">
      Send the link again
    </SubmitButton>
  );
}
