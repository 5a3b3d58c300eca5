import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { forgetUnsaved } from "./unsaved-text.ts";
import { submittedPauseMs } from "../assign/rules.ts";

/** The feedback as it was submitted; just after that, the dashboard follows by itself. */
export function SubmittedFeedback({
  workspace,
}: {
  workspace: { assignmentId: string; feedback: string };
}) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const isJustSubmitted = params.has("submitted");
  useEffect(() => {
    forgetUnsaved(workspace.assignmentId);
    if (!isJustSubmitted) return undefined;
    const timer = setTimeout(() => void navigate("/reviewer", { replace: true }), submittedPauseMs);
    return () => clearTimeout(timer);
  }, [isJustSubmitted, navigate, workspace.assignmentId]);
  return (
    <section aria-labelledby="feedback">
      <h2 id="feedback">Feedback</h2>
      <div className="submitted-feedback">{workspace.feedback || "No feedback"}</div>
      {isJustSubmitted && (
        <noscript>
          <meta httpEquiv="refresh" content="2;url=/reviewer" />
        </noscript>
      )}
    </section>
  );
}
