import type { UploadRulesByPurpose } from "../../app/files/receive/admit-upload.server.ts";
import { draftUploads } from "../../app/review-customer/buy/drafts.server.ts";
import {
  reviewFileUploads,
  reviewImageUploads,
} from "../../app/review-staff/workspace/review-uploads.server.ts";

export const uploadRules: UploadRulesByPurpose = {
  ...draftUploads,
  "review-image": reviewImageUploads,
  "review-file": reviewFileUploads,
};
