import { Fragment, useRef } from "react";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import type { ContactPart } from "../contact.ts";

/** A contact as it was typed: its addresses, links and phone numbers can be pressed, and the numbers copied. */
export function ContactText({ parts }: { parts: readonly ContactPart[] }) {
  const text = useRef<HTMLParagraphElement>(null);
  const phones = new Set(parts.filter(({ kind }) => kind === "phone").map((part) => part.text));
  return (
    <>
      <p ref={text} className="text-sm [overflow-wrap:anywhere]">
        {parts.map((part, index) => (
          <Fragment key={index}>
            {part.kind === "text" ? part.text : <ContactLink part={part} />}
          </Fragment>
        ))}
      </p>
      {[...phones].map((phone) => (
        <CopyButton key={phone} text={phone} shown={text} />
      ))}
    </>
  );
}

/** Not the router's link, which would prepare a mail or a call as if it were one of our addresses. */
function ContactLink({ part }: { part: Exclude<ContactPart, { kind: "text" }> }) {
  const isPage = part.kind === "page";
  return (
    <a href={part.url} {...(isPage && { target: "_blank", rel: "noopener noreferrer" })}>
      {part.text}
    </a>
  );
}
