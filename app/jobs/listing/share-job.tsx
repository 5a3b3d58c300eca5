import { type MouseEvent, useRef } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";

/** Shares a job through the device, where it can. Elsewhere it opens a link to WhatsApp and the address to copy. */
export function ShareJob({ title, address }: { title: string; address: string }) {
  const source = useRef<HTMLParagraphElement>(null);
  const share = (event: MouseEvent<HTMLElement>) => {
    // Not every browser has it, and none without TLS.
    if (!("share" in navigator)) return;
    event.preventDefault();
    // Closing the device's sheet is an error too.
    navigator.share({ title, url: address }).catch(() => {});
  };
  return (
    <details className="job-share">
      <summary className="button button-secondary button-sm" onClick={share}>
        Share
      </summary>
      <div>
        <a
          href={`https://wa.me/?text=${encodeURIComponent(`${title}\n${address}`)}`}
          target="_blank"
          rel="noopener noreferrer"
          className="button button-ghost button-sm"
        >
          WhatsApp
          <Icon name="external" />
        </a>
        <CopyButton text={address} source={source} label="link" />
        <p ref={source}>{address}</p>
      </div>
    </details>
  );
}
