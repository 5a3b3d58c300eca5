/**
 * What is shared is for who has the link: neither caches, nor other sites, nor search engines learn of it. Its
 * own site is told where a form comes from, as without that the frame's forms would be refused.
 */
export const sharedHeaders = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "same-origin",
  "X-Robots-Tag": "noindex, nofollow",
};
