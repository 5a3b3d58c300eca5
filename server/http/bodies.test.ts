import { expect, test } from "vitest";
import { listAcceptedEncodings, selectEncoding } from "./bodies.ts";

test.each([
  ["", [], "identity"],
  ["br", ["br"], "br"],
  ["gzip, deflate, br, zstd", ["br", "gzip"], "br"],
  ["br;q=0", [], "identity"],
  ["gzip;q=0, br", ["br"], "br"],
  ["gzip, br;q=0.0", ["gzip"], "gzip"],
  ["br;q=0.5, gzip;q=0.8", ["gzip", "br"], "gzip"],
  ["*", ["br", "gzip"], "br"],
  ["*;q=0", [], "identity"],
  ["*;q=0, gzip;q=0.2", ["gzip"], "gzip"],
  ["gzip;q=0.4, identity", [], "identity"],
  ["GZIP ; Q=1", ["gzip"], "gzip"],
  ["broken, xbr, gzipped", [], "identity"],
] as const)("%j accepts %j", (header, accepted, sent) => {
  expect(listAcceptedEncodings(header, ["br", "gzip"])).toEqual(accepted);
  expect(selectEncoding(header, ["br", "gzip"])).toBe(sent);
});
