import { Fragment, useRef } from "react";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import type { ContactPart } from "../contact/parse-contact.ts";

/** A contact's text with links for addresses, pages and phone numbers, and buttons that copy the numbers. */
export function ContactText({ parts }: { parts: readonly ContactPart[] }) {
  const text = useRef<HTMLParagraphElement>(null);
  const phones = new Set(parts.filter(({ kind }) => kind === "phone").map((part) => part.text));
  return (
    <>
      <p ref={text} className="text-sm wrap-anywhere">
        {parts.map((part, index) => (
          <Fragment key={index}>
            {part.kind === "text" ? part.text : <ContactLink part={part} />}
          </Fragment>
        ))}
      </p>
      {[...phones].map((phone) => (
        <CopyButton key={phone} text={phone} source={text} />
      ))}
    </>
  );
}

/** A plain link, since the router's link would prefetch email and phone links as if they were our pages. */
function ContactLink({ part }: { part: Exclude<ContactPart, { kind: "text" }> }) {
  const isPage = part.kind === "page";
  return (
    <a href={part.url} {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}>
      {part.text}
    </a>
  );
}
