import type { PublicPage } from "../ui/meta.ts";

const facts = ["Who to contact", "How to apply", "Expert reviews"];

export const signInPage: PublicPage = {
  path: "/login",
  title: "Log in",
  description: "Log in to apply for design jobs and to see who to contact.",
  card: { eyebrow: "Log in", headline: "Your place on the chart", facts },
};

export const signUpPage: PublicPage = {
  path: "/signup",
  title: "Sign up",
  description: "Create an account to apply for design jobs and to see who to contact.",
  card: { eyebrow: "Sign up", headline: "Find your place on the chart", facts },
};
