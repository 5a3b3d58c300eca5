import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { type OutstandingFiles, useOutstandingFiles } from "./use-uploads.ts";

/**
 * Asks before leaving a screen whose files aren't uploaded yet. Each screen has one guard for all its fields.
 *
 * @param place the kind of navigation to guard, as in `LeaveGuard`
 * @param others a sentence about other unsaved input on the screen, or null
 */
export function UploadGuard({
  place,
  others = null,
}: {
  place?: "address" | "path";
  others?: string | null;
}) {
  const files = useOutstandingFiles();
  const count = files.staged + files.sending;
  if (count === 0 && others === null) return null;
  const title = {
    0: "Leave before everything is saved?",
    1: "Leave before your file is uploaded?",
  }[count];
  return (
    <LeaveGuard
      wouldLose={isAlways}
      place={place}
      title={title ?? "Leave before your files are uploaded?"}
      leave="Leave"
      stay={files.sending === count && count > 0 ? "Keep uploading" : "Stay"}
    >
      {count > 0 && <p>{formatLeaveWarning(files)}</p>}
      {others && <p>{others}</p>}
    </LeaveGuard>
  );
}

const isAlways = () => true;

function formatLeaveWarning({ staged, sending }: OutstandingFiles): string {
  if (staged === 0)
    return `The ${sending === 1 ? "upload stops" : "uploads stop"} if you leave this page.`;
  if (sending === 0) return "Chosen files and their notes aren't sent until you press Upload.";
  return "Uploads stop if you leave this page. Other chosen files aren't sent until you press Upload.";
}
