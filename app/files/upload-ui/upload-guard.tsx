import { LeaveGuard } from "../../ui/feedback/leave-guard.tsx";
import { type OutstandingFiles, useOutstandingFiles } from "./use-uploads.ts";

/**
 * Asks before a screen is left that has upload fields with files which are not there yet. A screen has one, for
 * all of its fields.
 *
 * @param place what is left, as `LeaveGuard` has it
 * @param others what else of the screen would be lost, in a sentence; null for nothing
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
    return `${sending === 1 ? "It goes" : "They go"} on only while this page is open.`;
  if (sending === 0) return "What you chose and wrote beside it is sent once you press Upload.";
  return "What is on its way goes on only while this page is open, and what else you chose is sent once you press Upload.";
}
