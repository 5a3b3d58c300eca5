import { mimeTypes } from "../../files/rules.ts";
import type { HandedFile } from "../../reviews/materials.server.ts";
import type { PartPages } from "../document-pages/pages.server.ts";
import { buildMarkedSheets } from "../mark-sheets.server.ts";
import type { Marked } from "../marked.ts";
import type { PageView, Remark, ScreenshotView } from "../rules.ts";

/** The parts of a result that change before they are shown. */
type ResultParts = {
  files: HandedFile[];
  pages: PartPages[];
  screenshots: ScreenshotView[];
  remarks: Remark[];
  /** The reasons why pages are missing, for now or permanently. */
  notices: string[];
};

/** Prepares a result, or the preview of one, for its screen: with its remarks on their pages. */
export function toResultView<Result extends ResultParts>({
  pages,
  screenshots,
  remarks,
  notices,
  files,
  ...result
}: Result): Omit<Result, keyof ResultParts> & {
  files: HandedFile[];
  marked: Marked;
  isComing: boolean;
  notices: string[];
} {
  const parts = pages.flatMap((part) => part.pages);
  const isMarkedPage = ({ part, number }: PageView) =>
    remarks.some(
      ({ target }) => target?.kind === "page" && target.part === part && target.page === number,
    );
  const areComing = pages.some(({ isComing }) => isComing);
  return {
    ...result,
    files: files.map(addTypeName),
    marked: buildMarkedSheets(parts, screenshots, remarks),
    isComing: areComing || screenshots.some(({ isComing }) => isComing),
    notices: areComing || parts.every(isMarkedPage) ? notices : [...notices, leftOut],
  };
}

const leftOut = "Pages without remarks are not shown here. Your files have all pages.";

/** Shortens "application/pdf" to "PDF" on the server, so that the page need not load all types. */
function addTypeName(file: HandedFile): HandedFile {
  const entry = Object.entries(mimeTypes).find(([, type]) => type === file.type);
  return entry ? { ...file, type: entry[0].toUpperCase() } : file;
}
