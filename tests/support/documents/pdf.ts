/** The parts of a PDF beyond its one page. */
type Parts = {
  /** Entries of the catalog, for example "/OpenAction 6 0 R". */
  catalog?: string;
  page?: string;
  /** Operators that draw the page. */
  content?: string;
  /** Objects, numbered from 6. */
  objects?: (string | Buffer)[];
  trailer?: string;
};

/** Builds a PDF of one page with five uncompressed objects and a cross-reference table. */
export function makePdf({
  catalog = "",
  page = "",
  content = "BT /F1 12 Tf 72 720 Td (Asha Verma) Tj ET",
  objects = [],
  trailer = "",
}: Parts = {}): Buffer {
  return joinPdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${page} >>`,
      streamObject(Buffer.from(content, "latin1")),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      ...objects,
    ],
    trailer,
  );
}

/** Builds a stream object. */
export function streamObject(bytes: Buffer, entries = ""): Buffer {
  const head = `<< /Length ${bytes.length} ${entries} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes, Buffer.from("\nendstream")]);
}

/** Builds a file of objects, numbered from 1. The first is the catalog. */
export function joinPdf(objects: (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: string | Buffer) => {
    const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const [before, after] = [`${index + 1} 0 obj\n`, "\nendobj\n"];
    // There can be a million objects.
    if (typeof object === "string") add(before + object + after);
    else for (const part of [before, object, after]) add(part);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}` +
        `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
      "latin1",
    ),
  );
  return Buffer.concat(parts);
}
