import { readFile } from "node:fs/promises";
import {
  comparePictures,
  readmePictures,
  takeReadmePicture,
} from "../../support/readme-pictures.ts";
import { expect, signInByCookie, test } from "../support/test.ts";

for (const picture of readmePictures)
  test(`${picture.file} shows its screen as it is`, async ({ page, product, context }) => {
    if ("as" in picture) await signInByCookie(context, product, picture.as);
    const taken = await takeReadmePicture(page, picture);
    expect(
      await comparePictures(await readFile(picture.file), taken),
      "The screen has changed. Run `npm run screens -- readme`, look at the picture, and commit it.",
    ).toBeLessThan(0.005);
  });
