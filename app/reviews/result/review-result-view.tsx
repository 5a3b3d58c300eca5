import { mimeTypes } from "../../files/rules.ts";
import { Icon } from "../../ui/brand/icon.tsx";
import { Picture } from "../buy/picture.tsx";
import type { GivenFile, ReviewResult, Screenshot } from "../read.server.ts";

/** What the reviewer gave back: the written feedback, screenshots with notes, files. */
export function ReviewResultView({ result }: { result: ReviewResult }) {
  const { feedback, screenshots, files } = result;
  return (
    <div className="result">
      <section>
        <h2>Feedback</h2>
        {feedback ? (
          <p className="feedback prose">{feedback}</p>
        ) : (
          <p className="result-none">No written feedback provided.</p>
        )}
      </section>
      <section>
        <h2>Screenshots and annotations</h2>
        {screenshots.length > 0 ? (
          <ol className="result-shots">
            {screenshots.map((screenshot, index) => (
              <ScreenshotFrame key={screenshot.id} screenshot={screenshot} number={index + 1} />
            ))}
          </ol>
        ) : (
          <p className="result-none">No screenshots or annotations provided with this review.</p>
        )}
      </section>
      {files.length > 0 && (
        <section>
          <h2>Files</h2>
          <ul className="given-files">
            {files.map((file) => (
              <GivenFileRow key={file.id} file={file} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function ScreenshotFrame({ screenshot, number }: { screenshot: Screenshot; number: number }) {
  const { address, annotation } = screenshot;
  return (
    <li>
      <figure>
        {address && (
          <a href={address} target="_blank" rel="noopener noreferrer">
            <Picture address={address} alt={`Screenshot ${number}`} />
            <span className="sr-only"> (opens larger in a new tab)</span>
          </a>
        )}
        <figcaption>
          <span className="screenshot-number">{number}</span>
          {annotation}
        </figcaption>
      </figure>
    </li>
  );
}

function GivenFileRow({ file }: { file: GivenFile }) {
  const { address, name, mimeType, description } = file;
  return (
    <li>
      <Icon name="file" />
      <div>
        <p>
          {address ? (
            <a href={address} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          ) : (
            name
          )}
          <span className="given-file-type">{typeName(mimeType)}</span>
        </p>
        {description && <p className="given-file-words">{description}</p>}
      </div>
    </li>
  );
}

/** "application/pdf" → "PDF"; a type that has no short name is shown as it is. */
function typeName(mimeType: string): string {
  const known = Object.entries(mimeTypes).find(([, type]) => type === mimeType);
  return known ? known[0].toUpperCase() : mimeType;
}
