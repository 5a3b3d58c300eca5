import { signInPage, signUpPage } from "../../../app/accounts/pages.ts";
import { boardPage } from "../../../app/jobs/pages.ts";
import { exampleReviewPage, servicesPage } from "../../../app/review-customer/buy/pages.ts";
import { aboutPage, homePage } from "../../../app/site/pages.ts";
import {
  contactPage,
  faqPage,
  privacyPage,
  refundPage,
  termsPage,
} from "../../../app/support/pages.ts";
import type { PublicPage } from "../../../app/ui/meta.ts";

/** Every page for everybody but the jobs' own, as the screens should say it of themselves. */
export const publicPages: PublicPage[] = [
  homePage,
  boardPage,
  servicesPage,
  exampleReviewPage,
  aboutPage,
  faqPage,
  contactPage,
  privacyPage,
  termsPage,
  refundPage,
  signUpPage,
  signInPage,
];
