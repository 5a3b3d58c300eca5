import { signInPage, signUpPage } from "../../../app/accounts/pages.ts";
import { removedPage } from "../../../app/checks/pages.ts";
import { noticePage } from "../../../app/consents/pages.ts";
import { atlasPage, boardPage } from "../../../app/jobs/pages.ts";
import { servicesPage } from "../../../app/review-customer/buy/pages.ts";
import { exampleReviewPage } from "../../../app/review-customer/example/pages.ts";
import { resumeCheckPage } from "../../../app/review-customer/resume-check/pages.ts";
import { aboutPage, homePage } from "../../../app/site/pages.ts";
import {
  newMessagePage,
  faqPage,
  privacyPage,
  refundPage,
  termsPage,
} from "../../../app/support/pages.ts";
import type { PublicPage } from "../../../app/ui/meta.ts";

/** Every public page except job pages. */
export const publicPages: PublicPage[] = [
  homePage,
  boardPage,
  atlasPage,
  removedPage,
  servicesPage,
  exampleReviewPage,
  resumeCheckPage,
  aboutPage,
  faqPage,
  newMessagePage,
  privacyPage,
  noticePage,
  termsPage,
  refundPage,
  signUpPage,
  signInPage,
];
