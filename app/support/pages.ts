import type { PublicPage } from "../ui/meta.ts";

export const newMessagePage: PublicPage = {
  path: "/contact",
  title: "Contact Us",
  description: "Email us, call us, or send a message from this page.",
  card: { eyebrow: "Contact", headline: "Write to us or call", facts: ["A person answers"] },
};

export const faqPage: PublicPage = {
  path: "/faq",
  title: "FAQ",
  description: "How long a review takes, what to send, what you get, and how jobs are verified.",
  card: {
    eyebrow: "Questions and answers",
    headline: "How reviews and jobs work here",
    facts: ["What to send", "What you get", "How long it takes"],
  },
};

export const privacyPage: PublicPage = {
  path: "/privacy",
  title: "Privacy Policy",
  description: "What we store about you, why, and who can see it.",
  card: {
    eyebrow: "The small print",
    headline: "Privacy Policy",
    facts: ["What we store", "Why", "Who sees it"],
  },
  dated: "2025-05-01",
};

export const termsPage: PublicPage = {
  path: "/terms",
  title: "Terms and Conditions",
  description: "The terms for using the job board and buying reviews.",
  card: {
    eyebrow: "The small print",
    headline: "Terms and Conditions",
    facts: ["Jobs", "Reviews"],
  },
};

export const refundPage: PublicPage = {
  path: "/refund",
  title: "Refund Policy",
  description: "When you can cancel an order, and how refunds work.",
  card: {
    eyebrow: "The small print",
    headline: "Refund Policy",
    facts: ["Cancellations", "Refunds"],
  },
};
