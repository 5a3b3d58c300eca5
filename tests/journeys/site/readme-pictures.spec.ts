import { readFile } from "node:fs/promises";
import {
  comparePictures,
  readmePictures,
  takeReadmePicture,
} from "../../support/readme-pictures.ts";
import { startProduct } from "../support/product.ts";
import { expect, signInByCookie, test, whenLive } from "../support/test.ts";

// Other journeys add jobs and remarks to the common product.
test("the pictures of the README show their screens as they are", async ({ browser }) => {
  const product = await startProduct();
  try {
    for (const picture of readmePictures) {
      const context = await browser.newContext({ baseURL: product.origin });
      if ("as" in picture) await signInByCookie(context, product, picture.as);
      const taken = await takeReadmePicture(whenLive(await context.newPage()), picture);
      expect(
        await comparePictures(await readFile(picture.file), taken),
        `${picture.file} differs. Run \`npm run screens -- readme\`, look at it, and commit it.`,
      ).toBeLessThan(0.005);
      await context.close();
    }
  } finally {
    await product.stop();
  }
});
