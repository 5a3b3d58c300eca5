/**
 * The privacy notice that people consent to. Its rows describe how the product behaves, so change both together. A
 * changed row needs a new version: `notice.test.ts` fails otherwise, and everyone is asked again.
 */

/** The date of the rows below, with a number after the first text of a day. */
export const noticeVersion = "2026-11-28-3";

/** One kind of personal data. */
export type NoticeRow = {
  kind: string;
  /** The data. */
  what: string;
  why: string;
  howLong: string;
  whoSees: string;
  withdraw: string;
};

export const noticeRows: readonly NoticeRow[] = [
  {
    kind: "Account",
    what: "Your name, email address, roles and subscription, and a hash of your password. The link to your work, if you add it. Your statement that you are 18 or older. For a week after you change your address: the earlier one. The day when you last used the account.",
    why: "To let you log in. The service is for adults.",
    howLong:
      "As long as you have the account, and two weeks after you close it. If you never confirm your address: about a week.",
    whoSees: "You and our admins. Only you, once you close it.",
    withdraw: "Close your account under Your data and consents.",
  },
  {
    kind: "Consents",
    what: "What you allowed, when, under which notice, and when you withdrew it.",
    why: "To prove it, as the law requires.",
    howLong:
      "As long as you have the account. Without one: permanently, but a code replaces your address once we delete it.",
    whoSees: "You. Admins see if we may use a review as a sample.",
    withdraw: "The record stays as proof, also after you withdraw.",
  },
  {
    kind: "Logins",
    what: "For each browser: its name, its IP address and its last use. Your passkeys and your authenticator app, if you add them.",
    why: "To keep you logged in, and others out.",
    howLong:
      "30 days after the last use, and 90 days at most. Passkeys and the app: until you remove them.",
    whoSees: "You. Admins see how many devices you use and when you were last active.",
    withdraw: "Log out, or end any session on your profile.",
  },
  {
    kind: "Protection against abuse",
    what: "Counts of attempts by IP address, email address or known device.",
    why: "To stop people who guess passwords or flood forms.",
    howLong: "About two days.",
    whoSees: "No one. The server only counts.",
    withdraw: "Needed to keep the service safe.",
  },
  {
    kind: "Reviews",
    what: "Your resume, your portfolio or its link, your goal, your questions and your wish for a reviewer. Your reviewer's remarks, scores, answers, feedback and files. Your rating. If you black out parts of a file: its original too.",
    why: "To review your work and show you the result.",
    howLong:
      "As long as you have the account. Files that belong to no review, draft or payment: about a day. The original of a blacked-out file: until 30 days after the review.",
    whoSees:
      "You, your reviewer and our admins. The reviewer of a second look also sees the earlier review. Only you see the original of a blacked-out file.",
    withdraw:
      "Write to us to delete a review and its files. Closing your account deletes all of them.",
  },
  {
    kind: "Opened files",
    what: "Which of your files your reviewer or an admin opened, and on which day.",
    why: "To show you who looked at them.",
    howLong: "A year.",
    whoSees: "You.",
    withdraw: "It is deleted with the file.",
  },
  {
    kind: "Links to your reviews",
    what: "Copies of the pages you share, with their remarks and scores.",
    why: "To show a review to people you choose.",
    howLong: "A link works for 30 days at most. Its copies are deleted within about two days.",
    whoSees: "Anyone who has the link.",
    withdraw: "End the link, or withdraw on your profile. Withdrawing ends all of them.",
  },
  {
    kind: "Anonymous sample",
    what: "One of your reviews, without your name and contact details. Only if you allow it.",
    why: "To show others what a review looks like.",
    howLong: "Until you withdraw, or your account is closed.",
    whoSees: "Anyone, without your name.",
    withdraw: "Withdraw on your profile. You can change your mind at any time.",
  },
  {
    kind: "Your list of jobs",
    what: "The jobs that you save or add, with their states, dates and your notes. Why you want a job, for your message to its contact. Which closing jobs we emailed you about.",
    why: "To show you your applications in one place.",
    howLong: "Until you remove a job, or your account is closed.",
    whoSees: "Only you.",
    withdraw: "Remove jobs from the list on your profile.",
  },
  {
    kind: "Replies of companies",
    what: "Whether a company replied to your application, and when you told us. Only if you answer our question.",
    why: "To show how many people get a reply, once five people answered.",
    howLong:
      "90 days, and up to a week more. If your account is closed meanwhile: only as a number, without you.",
    whoSees: "Only you. Everyone sees the number of people.",
    withdraw: "Withdraw the answer on the job's page in your list, or remove the job.",
  },
  {
    kind: "Job alerts",
    what: "Your email address, the filters that you chose, and which jobs we sent.",
    why: "To email you new jobs.",
    howLong: "Until 30 days after you stop them. Without your confirmation: 48 hours.",
    whoSees: "You. Our mail server and our admins see the emails' address and subject.",
    withdraw: "Stop them with the link in each email, or on your profile.",
  },
  {
    kind: "Payments",
    what: "What you bought, the amount, the result, and your phone number if you give one. On an invoice: your State and your company's GSTIN. Never your card number.",
    why: "To take payments, return money and give receipts.",
    howLong:
      "As long as the law requires. Your address and phone number: 180 days. On an invoice, your name stays. After a failed payment, your files: about a month.",
    whoSees: "You, our admins, and PayU, which takes the payment.",
    withdraw: "We must keep payment records.",
  },
  {
    kind: "Emails to you",
    what: "Which emails we sent, to which address, and when. Your choice of emails.",
    why: "To tell you about your reviews, payments and account security, and about saved jobs if you choose it.",
    howLong: "The text: until it is sent. The record: a month.",
    whoSees: "Our mail server and our admins.",
    withdraw: "Turn off optional emails on your profile.",
  },
  {
    kind: "Messages to us",
    what: "Your name, your email address, your messages and our replies.",
    why: "To answer you.",
    howLong: "A year. Suspected spam: a month.",
    whoSees: "Our admins, and anyone who has the link to your message.",
    withdraw: "Write to us to delete a message.",
  },
  {
    kind: "A copy of your data",
    what: "One file with everything that we store about you. Only if you ask for it.",
    why: "To let you take your data with you.",
    howLong: "A week.",
    whoSees: "Only you.",
    withdraw: "It is deleted by itself.",
  },
  {
    kind: "Unsent forms",
    what: "A form that you sent after you were logged out, encrypted.",
    why: "To give it back when you log in again.",
    howLong: "An hour.",
    whoSees: "Only you. Your browser has the key.",
    withdraw: "Let it expire.",
  },
  {
    kind: "Points of contact",
    what: "If a job names you: your name and how to contact you. Our questions to you about the job, and your answers.",
    why: "To let designers ask about the job. To know if it is still open.",
    howLong: "As long as we keep the job.",
    whoSees: "People who are logged in. Only staff see an address that is just for our questions.",
    withdraw: "Use the link in our emails to have your name removed everywhere, or write to us.",
  },
  {
    kind: "Posting jobs",
    what: "The companies for which you post, your work email, and the listings that you write. A work email that an owner invites.",
    why: "To know that you post for the company, and to publish its jobs.",
    howLong:
      "As long as you post for the company. A discarded listing: its text is deleted at once. Without your confirmation: 48 hours. An invitation: a week.",
    whoSees: "You, the company's members and our admins. Everyone sees a published listing.",
    withdraw:
      "Discard a draft, or leave the company under Your team. Ask its owner to withdraw an invitation.",
  },
  {
    kind: "Reports on jobs",
    what: "Your report, your account or email address, and a code for your network.",
    why: "To find fake jobs, and to notice one person who reports under many names.",
    howLong: "180 days after our decision. Without your confirmation: 48 hours.",
    whoSees: "Admins see the report, without your name and address.",
    withdraw: "Write to us to delete a report.",
  },
  {
    kind: "Reviewers and other staff",
    what: "Your introduction to customers, the fields and languages that you know, and your record: reviews in 90 days, how many were on time, and your average rating. The changes that you make as staff, and a subscription that you cancel.",
    why: "To show customers who reviews their work. To find a reviewer who matches a wish. To find mistakes and misuse.",
    howLong:
      "The introduction and what you know: as long as you have the account. The record is counted each time it is shown. Changes: permanently.",
    whoSees:
      "Your customers see the introduction. Everyone sees it with what you know and your record, if you agree. Admins see all of it.",
    withdraw:
      "Untick the box under About you, and only your customers see your introduction. Empty it to remove it.",
  },
  {
    kind: "Reviewers' fees",
    what: "Your fees, and what we paid you and when. Your PAN, encrypted, if the law asks for it.",
    why: "To pay you, and to follow tax law.",
    howLong: "Payments: permanently. The PAN: 8 years after the last payment.",
    whoSees: "You and our admins. We record each time an admin opens your PAN.",
    withdraw: "We must keep payment records.",
  },
];
