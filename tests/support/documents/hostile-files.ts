import { constants, deflateRawSync } from "node:zlib";
import { joinPdf, makePdf, streamObject } from "./pdf.ts";
import { makePngChunk } from "./png.ts";

/** Files that try to crash the process that opens them. */

const megabyte = 1_048_576;

/** Compresses this many zero bytes to a thousandth of their size. */
function packedZeros(length: number): Buffer {
  const [whole, rest] = [Math.floor(length / megabyte), length % megabyte];
  return packed([Buffer.alloc(megabyte), whole], [Buffer.alloc(rest), 1]);
}

/** Compresses repeated bytes with zlib without holding all of them in memory. */
export function packed(...parts: [bytes: Buffer, times: number][]): Buffer {
  const blocks: Buffer[] = [];
  // The halves of Adler-32: the sum of all bytes, and the sum of the intermediate sums.
  let [low, high] = [1, 0];
  for (const [bytes, times] of parts) {
    const block = deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
    let [sum, sumOfSums] = [0, 0];
    for (const byte of bytes) {
      sum += byte;
      sumOfSums += sum;
    }
    for (let time = 0; time < times; time++) {
      blocks.push(block);
      high = (high + bytes.length * low + sumOfSums) % 65_521;
      low = (low + sum) % 65_521;
    }
  }
  const end = Buffer.alloc(4);
  end.writeUInt32BE(high * 65_536 + low);
  return Buffer.concat([
    Buffer.from("7801", "hex"),
    ...blocks,
    deflateRawSync(Buffer.alloc(0)),
    end,
  ]);
}

/** Builds a document whose catalog is in an object stream that expands to this many bytes. */
export function largeObjectStream(bytes: number): Buffer {
  const packed = streamObject(
    packedZeros(bytes),
    "/Type /ObjStm /N 1 /First 10 /Filter /FlateDecode",
  );
  const head = Buffer.from("%PDF-1.5\n");
  const stream = Buffer.concat([Buffer.from("2 0 obj\n"), packed, Buffer.from("\nendobj\n")]);
  const at = head.length + stream.length;
  // Type, offset and index of objects 0 to 3: free, in stream 2, the stream, this table.
  const rows = [
    [0, 0, 255],
    [2, 2, 0],
    [1, head.length, 0],
    [1, at, 0],
  ].map(([kind, place, index]) => {
    const row = Buffer.from([kind!, 0, 0, 0, 0, index!]);
    row.writeUInt32BE(place!, 1);
    return row;
  });
  const table = streamObject(Buffer.concat(rows), "/Type /XRef /Size 4 /W [1 4 1] /Root 1 0 R");
  const end = `\nendobj\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([head, stream, Buffer.from("3 0 obj\n"), table, Buffer.from(end)]);
}

/** Builds a document whose page tree contains itself. */
export function circularPages(): Buffer {
  return joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [2 0 R] /Count 5 >>",
  ]);
}

/** Builds a document that repeats one page. */
export function manyPages(count: number): Buffer {
  return joinPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${"3 0 R ".repeat(count)}] /Count ${count} >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
  ]);
}

/** Builds a page of this size in points. */
export function hugePage(width: number, height: number): Buffer {
  return makePdf({ page: `/MediaBox [0 0 ${width} ${height}]` });
}

/** Builds a page with a square CMYK picture of this many pixels per side. */
export function hugePicture(side: number): Buffer {
  const size = `/Width ${side} /Height ${side} /ColorSpace /DeviceCMYK /BitsPerComponent 8`;
  return makePdf({
    page: "/Resources << /XObject << /X 6 0 R >> >>",
    content: "q 500 0 0 500 40 40 cm /X Do Q",
    objects: [
      streamObject(packedZeros(side * side * 4), `/Subtype /Image ${size} /Filter /FlateDecode`),
    ],
  });
}

/** Builds an interlaced picture, which cannot be decoded row by row. */
export function interlacedPng(width: number, height: number): Buffer {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  const bytesOfPixel = 8;
  let length = 0;
  for (const [x, y, stepX, stepY] of passes) {
    const [columns, rows] = [Math.ceil((width - x!) / stepX!), Math.ceil((height - y!) / stepY!)];
    length += rows * (1 + columns * bytesOfPixel);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 16 bits, RGBA, interlaced.
  header.set([16, 6, 0, 0, 1], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const parts = [
    makePngChunk("IHDR", header),
    makePngChunk("IDAT", packedZeros(length)),
    makePngChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

/** Makes a JPEG claim this many pixels per side. */
export function claimingJpeg(jpeg: Buffer, side: number): Buffer {
  const claimed = Buffer.from(jpeg);
  const frame = claimed.findIndex(
    (byte, at) => byte === 0xff && [0xc0, 0xc2].includes(claimed[at + 1]!),
  );
  claimed.writeUInt16BE(side, frame + 5);
  claimed.writeUInt16BE(side, frame + 7);
  return claimed;
}
