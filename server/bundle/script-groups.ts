/** The modules around every screen: in one file, since each file more costs a visitor its headers. */
const frame = [
  // Few screens clean or cut texts, or sort a list.
  "platform/(?!text/|lists/sorts|own-path)",
  "site/(frame|header|theme-switch|error-screen)",
  "ui/(hydrated|brand|link|meta|navigations|expected-user|turns|unanswered|router)",
  "ui/layout/(page|card)",
  "ui/form/button",
  "ui/feedback/(send-form|toasts|spinner|empty-state)",
  "accounts/sign-in/(leaving-cookie|session-end)",
];

/**
 * The scripts that screens share, and the modules of each: beginnings of paths in `app`, as regular expressions. Each
 * alternative of a group begins the path of a file.
 */
export const scriptGroups: Record<string, string[]> = {
  frame,
  // Titles, descriptions and prices, which most public pages name, and the parts that home and services both show.
  pages: [
    "(site|review-customer/buy)/pages",
    "reviews/rules",
    "review-customer/buy/voices",
    "payments/money",
  ],
  // The beginning of every form, and the parts that only logging in and signing up share, which would be two files more.
  fields: [
    "ui/form/field",
    "accounts/pages",
    "accounts/sign-up/resend.screen",
    "platform/own-path",
  ],
};
