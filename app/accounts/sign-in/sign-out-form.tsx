import { type SubmitEvent, useState } from "react";
import { useNavigate } from "react-router";
import { day, second } from "../../platform/clock.ts";
import { setCookie } from "../../platform/cookies.ts";
import { SubmitButton } from "../../ui/form/button.tsx";
import { showToast } from "../../ui/feedback/toasts.tsx";
import { leavingCookie } from "../rules.ts";

/**
 * Signs out: first this browser, then on the server, and leads to the sign-in screen whatever comes of
 * that. A server that could not be reached ends the session at the next request.
 */
export function SignOutForm() {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const leave = async (event: SubmitEvent) => {
    event.preventDefault();
    setLeaving(true);
    document.cookie = setCookie(leavingCookie, "1", (30 * day) / second);
    const problem = await tellServer();
    if (problem) showToast({ kind: "error", title: problem });
    await navigate("/login");
    setLeaving(false);
  };
  return (
    <form method="post" action="/logout" onSubmit={(event) => void leave(event)}>
      <SubmitButton variant="ghost" pending={leaving} pendingLabel="Signing out...">
        Sign out
      </SubmitButton>
    </form>
  );
}

/** Past the router, which offline could not even fetch what it needs to send a form. */
async function tellServer(): Promise<string | null> {
  try {
    const answer = await fetch("/logout", {
      method: "POST",
      body: new URLSearchParams(),
      redirect: "manual",
      signal: AbortSignal.timeout(10_000),
    });
    return answer.type === "opaqueredirect" ? null : "There was a problem signing out.";
  } catch {
    return "There was a problem signing out. You have been redirected to the login page.";
  }
}
