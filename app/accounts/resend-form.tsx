import { useFetcher } from "react-router";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import type { action } from "./resend.screen.tsx";

/** Has a confirmation mail sent again; works in place with JavaScript and as a page without. */
export function ResendForm({ email, errors }: { email?: string; errors?: Record<string, string> }) {
  const fetcher = useFetcher<typeof action>();
  const shown = fetcher.data?.errors ?? errors ?? {};
  return (
    <fetcher.Form method="post" action="/resend-confirmation" className="stack">
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        defaultValue={email}
        error={shown.email ?? shown[""]}
      />
      <SubmitButton
        variant="secondary"
        pending={fetcher.state !== "idle"}
        pendingLabel="Sending..."
      >
        Send the link again
      </SubmitButton>
    </fetcher.Form>
  );
}
