import { expect, test } from "vitest";
import { testConfig } from "../../tests/support/product/config.ts";
import { contentSecurityPolicy } from "./security.ts";

const imagesOn = (path: string) =>
  /img-src [^;]*/.exec(contentSecurityPolicy(testConfig(), "'none'", path))?.[0];

test.each(["/admin/reviews/completed", "/service-review", "/service-review/1"])(
  "%s may show images from other sites",
  (path) => expect(imagesOn(path)).toBe("img-src 'self' data: blob: https:"),
);

test.each(["/", "/admin/reviews", "/admin/reviews/completed-not", "/service-reviews", "/profile"])(
  "%s shows images of this site only",
  (path) => expect(imagesOn(path)).toBe("img-src 'self' data: blob:"),
);
