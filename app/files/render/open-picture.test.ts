import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import {
  displayP3,
  makeIccProfile,
  makePng,
  makePngChunk,
  makeProfileChunk,
  type PngType,
} from "../../../tests/support/documents/png.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";
import { openPicture } from "./open-picture.server.ts";

const folder = ownFolder();

/** Returns the colour of a picture of one colour. */
async function colourOf(bytes: Buffer): Promise<number[]> {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  const { picture } = await openPicture(path);
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const middle = (8 * info.width + 8) * info.channels;
  const found = [...data.subarray(middle, middle + info.channels)];
  return found.length < 3 ? [found[0]!, found[0]!, found[0]!] : found.slice(0, 3);
}

function expectColour(found: number[], expected: number[], tolerance = 2): void {
  const difference = Math.max(...found.map((one, at) => Math.abs(one - expected[at]!)));
  expect(difference, `${found.join()} instead of ${expected.join()}`).toBeLessThanOrEqual(
    tolerance,
  );
}

type Space = {
  /** The light of red, green and blue under D50, and the matrix from its light to that of sRGB, as published. */
  colours: number[][];
  toSrgb: number[][];
  /** The x and y of white, red, green and blue. */
  primaries: number[];
};

const wide: Space = {
  colours: displayP3,
  toSrgb: [
    [1.2249, -0.2247, 0],
    [-0.042, 1.0419, 0],
    [-0.0197, -0.0786, 1.0979],
  ],
  primaries: [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06],
};
const adobeRgb: Space = {
  colours: [
    [0.60974, 0.31111, 0.01947],
    [0.20528, 0.62567, 0.06087],
    [0.14919, 0.06322, 0.74457],
  ],
  toSrgb: [
    [1.3984, -0.3984, 0],
    [0, 1, 0],
    [0, -0.0429, 1.0429],
  ],
  primaries: [0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06],
};
const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Converts a colour of another space to sRGB by the formulas of the standard. */
function toSrgb(rgb: number[], gamma: number, matrix = identity): number[] {
  const light = rgb.map((value) => (value / 255) ** gamma);
  return matrix.map((row) => {
    const sum = row.reduce((total, factor, at) => total + factor * light[at]!, 0);
    const clipped = Math.min(1, Math.max(0, sum));
    const value = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(255 * value);
  });
}

const gammaChunk = (gamma: number) => makePngChunk("gAMA", uint32s([100_000 / gamma]));
const primariesChunk = ({ primaries }: Space) =>
  makePngChunk("cHRM", uint32s(primaries.map((one) => one * 100_000)));

function uint32s(numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(Math.round(number), 4 * at);
  return bytes;
}

/** The descriptions of colours, and what browsers make of a colour. */
const described: [string, Buffer[], (rgb: number[]) => number[]][] = [
  ["no description", [], (rgb) => rgb],
  ["the sRGB chunk", [makePngChunk("sRGB", Buffer.from([0]))], (rgb) => rgb],
  [
    "the sRGB chunk and its gamma",
    [makePngChunk("sRGB", Buffer.from([0])), gammaChunk(2.2)],
    (rgb) => rgb,
  ],
  ["the gamma of sRGB", [gammaChunk(2.2)], (rgb) => rgb],
  [
    "a profile with sRGB's colours",
    [
      makeProfileChunk(
        makeIccProfile(2.2, [
          [0.43607, 0.22249, 0.01392],
          [0.38515, 0.71687, 0.09708],
          [0.14307, 0.06061, 0.7141],
        ]),
      ),
    ],
    (rgb) => toSrgb(rgb, 2.2),
  ],
  [
    "a profile of Display P3",
    [makeProfileChunk(makeIccProfile(2.2, wide.colours))],
    (rgb) => toSrgb(rgb, 2.2, wide.toSrgb),
  ],
  [
    "a profile of Adobe RGB",
    [makeProfileChunk(makeIccProfile(2.2, adobeRgb.colours))],
    (rgb) => toSrgb(rgb, 2.2, adobeRgb.toSrgb),
  ],
  ["another gamma", [gammaChunk(1.8)], (rgb) => toSrgb(rgb, 1.8)],
  [
    "gamma and primaries",
    [gammaChunk(2.2), primariesChunk(adobeRgb)],
    (rgb) => toSrgb(rgb, 2.2, adobeRgb.toSrgb),
  ],
  ["primaries without a gamma", [primariesChunk(wide)], (rgb) => rgb],
  [
    "impossible primaries",
    [gammaChunk(2.2), makePngChunk("cHRM", uint32s(Array(8).fill(0)))],
    (rgb) => rgb,
  ],
];

const red = [208, 32, 32];
const colours = [red, [24, 96, 200], [240, 240, 240], [60, 140, 70]];

test.each(described)(
  "coloured pictures with %s look as in a browser",
  async (_name, chunks, toShown) => {
    for (const rgb of colours) {
      const deep = rgb.map((value) => value * 257);
      const palette = makePngChunk("PLTE", Buffer.from([0, 0, 0, ...rgb]));
      for (const picture of [
        makePng("rgb", 8, rgb, chunks),
        makePng("rgb", 16, deep, chunks),
        makePng("rgba", 8, [...rgb, 255], chunks),
        makePng("rgba", 16, [...deep, 65_535], chunks),
        ...[1, 2, 4, 8].map((depth) => makePng("palette", depth, [1], [...chunks, palette])),
      ])
        expectColour(await colourOf(picture), toShown(rgb));
    }
  },
);

const greys: [string, Buffer[], (rgb: number[]) => number[]][] = [
  ["no description", [], (rgb) => rgb],
  ["a profile of greys", [makeProfileChunk(makeIccProfile(1.8))], (rgb) => toSrgb(rgb, 1.8)],
  ["another gamma", [gammaChunk(1.8)], (rgb) => toSrgb(rgb, 1.8)],
  ["the gamma of sRGB", [gammaChunk(2.2)], (rgb) => rgb],
  ["gamma and primaries", [gammaChunk(1.8), primariesChunk(adobeRgb)], (rgb) => toSrgb(rgb, 1.8)],
];

test.each(greys)("grey pictures with %s look as in a browser", async (_name, chunks, toShown) => {
  const cases: [PngType, number][] = [
    ...[1, 2, 4, 8, 16].map((depth): [PngType, number] => ["grey", depth]),
    ["grey+alpha", 8],
    ["grey+alpha", 16],
  ];
  for (const [type, depth] of cases) {
    const most = 2 ** depth - 1;
    for (const share of [0, 0.4, 1]) {
      const sample = Math.round(share * most);
      const grey = (255 * sample) / most;
      const picture = makePng(type, depth, [sample, most], chunks);
      expectColour(await colourOf(picture), toShown([grey, grey, grey]));
    }
  }
});

test("half-transparent pixels are shown on white at every depth", async () => {
  const half = red.map((value) => Math.round((value + 255) / 2));
  expectColour(await colourOf(makePng("rgba", 8, [...red, 128])), half);
  const deep = red.map((value) => value * 257);
  expectColour(await colourOf(makePng("rgba", 16, [...deep, 32_768])), half);
  expectColour(await colourOf(makePng("grey+alpha", 16, [20_000, 32_768])), [166, 166, 166]);
});

test("JPEGs look as in a browser, with and without a profile", async () => {
  const plain = (colour: number[]) => {
    const [r, g, b] = colour;
    const create = { width: 16, height: 16, channels: 3, background: { r, g, b } } as const;
    return sharp({ create });
  };
  const lossless = { quality: 100, chromaSubsampling: "4:4:4" };
  expectColour(await colourOf(await plain(red).jpeg(lossless).toBuffer()), red);
  const profiled = plain(red).withIccProfile("p3").jpeg(lossless);
  expectColour(await colourOf(await profiled.toBuffer()), red);
  const grey = plain([102, 102, 102]).toColourspace("b-w").jpeg(lossless);
  expectColour(await colourOf(await grey.toBuffer()), [102, 102, 102]);
  // Printing inks can't show every colour, and each program converts them in its own way.
  for (const [colour, tolerance] of [
    [[255, 255, 255], 2],
    [[128, 128, 128], 20],
    [red, 35],
  ] as const) {
    const inks = plain([...colour]).toColourspace("cmyk");
    expectColour(
      await colourOf(await inks.clone().jpeg(lossless).toBuffer()),
      [...colour],
      tolerance,
    );
    const described = inks.withIccProfile("cmyk").jpeg(lossless);
    expectColour(await colourOf(await described.toBuffer()), [...colour], tolerance);
  }
});
