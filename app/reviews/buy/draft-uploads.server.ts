import type { Upload, UploadRules } from "../../files/receive/upload-rules.server.ts";
import { NotFound } from "../../platform/errors.ts";
import { changeDraft, requirePart } from "./drafts.server.ts";
import { isServiceType, type ServiceType } from "../rules.ts";
import type { Part } from "./submission.ts";

/** Uploads of a customer: the target is a kind of review, and the file goes to their own draft of it. */
export const draftUploads: Record<Part, UploadRules> = {
  resume: rulesFor("resume"),
  portfolio: rulesFor("portfolio"),
};

function rulesFor(part: Part): UploadRules {
  return {
    async admit(_db, _uploaderId, upload) {
      wantedService(part, upload);
    },
    async attach(tx, uploaderId, upload, file) {
      const column = part === "resume" ? "resumeFileId" : "portfolioFileId";
      await changeDraft(tx, uploaderId, wantedService(part, upload), { [column]: file.id });
    },
  };
}

/** @throws {NotFound} for what is no service, or one that takes no such file. */
function wantedService(part: Part, { target }: Upload): ServiceType {
  if (!isServiceType(target)) throw new NotFound();
  requirePart(target, part);
  return target;
}
