import fc from "fast-check";
import { screenPaths } from "../support/inventory/screens.ts";

/** An attacker's request. `isWhole` is false if the server may wait for more. */
export type Asked = {
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
  as: string;
  isWhole: boolean;
};

/** Returns the bytes to send, with the sender's cookie. */
export function bytesOf({ method, target, headers, body }: Asked, cookie: string): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()));
  const all: [string, string][] = [...headers, ["Connection", "close"]];
  if (cookie && !named.has("cookie")) all.push(["Cookie", cookie]);
  const hasLength = named.has("content-length") || named.has("transfer-encoding");
  if (body.length > 0 && !hasLength) all.push(["Content-Length", String(body.length)]);
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, "latin1"),
    body,
  ]);
}

const nasty = [
  "",
  " ",
  "\u0000",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "%00",
  "%2e%2e%2f",
  "%c0%ae%c0%ae/",
  "%E0%A4%A",
  "%",
  "%%%",
  "%ff%fe",
  "%0d%0aSet-Cookie:%20a=b",
  "'; drop table users; --",
  "1' or '1'='1",
  "%_\\%",
  "${7*7}{{7*7}}<%= 7*7 %>",
  "$(id)`id`|id",
  `"><script>alert(1)</script>`,
  "javascript:alert(1)",
  "//elsewhere.example/",
  "https://elsewhere.example/",
  "http://169.254.169.254/latest/meta-data/",
  "file:///etc/passwd",
  "__proto__",
  "constructor.prototype",
  '{"$ne":null}',
  "[object Object]",
  "-1",
  "1e309",
  "NaN",
  "9007199254740993",
  "2147483648",
  "0x10",
  "null",
  "true",
  "00000000-0000-0000-0000-000000000000",
  "infinity",
  "2024-02-30T25:61:61Z",
  "आशा वर्मा",
  "👩🏽‍🎨",
  "\ud83d",
  "\u202e\u0007\u001b[31m",
  "a".repeat(300),
  "(".repeat(200),
  "x".repeat(9_000),
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nasty) },
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.uuid(),
);

/** A text for an address, encoded or raw. */
const inAddress = fc
  .tuple(text, fc.boolean())
  .map(([value, raw]) => (raw ? bare(value) : encodeURIComponent(value.toWellFormed())));

/** Parameters that some screens read. */
const read =
  "search type after before sort tab edit reassign new id reviewId txnId token_hash access_token next purpose " +
  "target v step q role reviewer _routes index p from to status";
const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...read.split(" ")) },
  fc.constantFrom("__proto__", "a[b][c]", "toString", "%5B%5D", ""),
  inAddress,
);

const query = fc
  .array(fc.tuple(names, inAddress), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("&"));

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("GET", "GET", "POST", "POST", "HEAD") },
  fc.constantFrom("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "SEARCH"),
  fc.constantFrom("get", "GE T", "CONNECT", "FOO", ""),
);

/** Changes to a path, some of which try to leave it. */
const detours = [
  (path: string) => path,
  (path: string) => path,
  (path: string) => path,
  (path: string) => `${path}.data`,
  (path: string) => `${path}/`,
  (path: string) => `/${path}`,
  (path: string) => `${path}//`,
  (path: string) => `/.${path}`,
  (path: string) => `/x/..${path}`,
  (path: string) => `/x/%2e%2e${path}`,
  (path: string) => `${path};a=b`,
  (path: string) => `${path}%00`,
  (path: string) => `${path}%20`,
  (path: string) => path.toUpperCase(),
  (path: string) => path.replaceAll("/", "\\"),
  (path: string) => path.replaceAll("/", "%2F"),
  (path: string) => `http://elsewhere.example${path}`,
  (path: string) => `ftp://elsewhere.example:x${path}`,
  (path: string) => `${path}#part`,
  (path: string) => path.slice(1),
  () => "*",
  () => `/${"a/".repeat(2_000)}`,
  () => `/${"b".repeat(17_000)}`,
];

const headerValues: Record<string, string[]> = {
  Accept: ["text/html", "*/*;q=NaN", ",,,;;;", "a".repeat(5_000), "image/webp"],
  "Accept-Encoding": [
    "br",
    "gzip;q=9",
    "*;q=0",
    "identity;q=0",
    "zstd, br",
    "\u00ff",
    ",".repeat(3_000),
  ],
  "Accept-Language": ["hi-IN", "*", "x".repeat(2_000)],
  Authorization: ["Basic Og==", "Bearer a.b.c"],
  Cookie: [
    "session=; theme=; toasts=",
    "theme=%E0%A4%A; toasts=%7B; held-form=..",
    "toasts=%5B%7B%22kind%22%3A%22error%22%2C%22title%22%3A%7B%7D%7D%5D",
    "=;=;=",
    `theme=${"d".repeat(6_000)}`,
    "__proto__=1; constructor=2",
    "a=\u0001\u007f",
  ],
  "Content-Type": [
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-7",
    "application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=edge",
    `multipart/form-data; boundary=${"e".repeat(300)}`,
    "text/plain",
    "application/offset+octet-stream",
    "application/xml",
    ";;;",
    "\u00ff/\u00fe",
  ],
  "Content-Length": ["0", "5", "99999999999999999999", "-1", "0x10", "1,1", " 3 "],
  "Content-Encoding": ["gzip", "br", "identity", "deflate, gzip"],
  Expect: ["100-continue", "the impossible"],
  Forwarded: ["for=192.0.2.1;host=elsewhere.example;proto=https"],
  "If-Match": ["*", '"x"'],
  "If-Modified-Since": ["yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "0"],
  "If-None-Match": ["*", 'W/"', ",".repeat(3_000), '"x"'],
  "If-Range": ['"x"', "Thu, 01 Jan 1970 00:00:00 GMT"],
  "If-Unmodified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT"],
  Origin: ["null", "https://elsewhere.example", "", "file://"],
  Purpose: ["prefetch"],
  Range: [
    "bytes=0-0",
    "bytes=-",
    "bytes=5-2",
    "bytes=0-,0-,0-,0-",
    "bytes=99999999999999999999-",
    `bytes=${"0-1,".repeat(1_000)}`,
    "lines=1-2",
  ],
  Referer: ["https://elsewhere.example/\u00ff", "javascript:alert(1)"],
  "Sec-Fetch-Site": ["cross-site", "same-origin", "none", "?"],
  "Sec-Purpose": ["prefetch;prerender"],
  TE: ["trailers, deflate"],
  Trailer: ["Content-Length"],
  "Transfer-Encoding": ["chunked", "gzip, chunked", "identity", "chunked, chunked"],
  "Tus-Resumable": ["1.0.0", "0.0.1", "x"],
  Upgrade: ["websocket", "h2c"],
  "Upload-Length": ["0", "-1", "1e3", "99999999999999999999"],
  "Upload-Metadata": [
    "purpose cmVzdW1l,target cmVzdW1lX3Jldmlldw==,name YQ==",
    "purpose",
    "a b,c d e",
    "name =====",
    ",,,",
  ],
  "Upload-Offset": ["0", "-1", "x", "99999999999999999999"],
  "User-Agent": ["\u00ff".repeat(500), "Googlebot", ""],
  "X-Forwarded-For": ["192.0.2.1", "::ffff:1.2.3.4, x", ",".repeat(2_000), "'; drop table users"],
  "X-Forwarded-Host": ["elsewhere.example", "a b"],
  "X-Forwarded-Proto": ["https", "javascript"],
  "X-HTTP-Method-Override": ["DELETE"],
  "X-Original-URL": ["/admin"],
  "X-Requested-With": ["XMLHttpRequest"],
};

const headers = fc
  .array(
    fc.constantFrom(...Object.keys(headerValues)).chain((name) =>
      fc
        .oneof(
          { weight: 3, arbitrary: fc.constantFrom(...headerValues[name]!) },
          text.map((value) => value.replaceAll(/[\r\n]/g, " ").slice(0, 2_000)),
        )
        .map((value): [string, string] => [name, value]),
    ),
    { maxLength: 4 },
  )
  .map((all) => [...new Map(all)]);

const fields = fc.array(
  fc.tuple(fc.oneof(names, fc.constantFrom("intent", "email", "file")), text),
  { maxLength: 6 },
);
const form = fields.map((pairs) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString(),
);
const multipart = fields.map(
  (pairs) =>
    pairs
      .map(
        ([name, value]) =>
          `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join("") + "--edge--\r\n",
);
const bodies = fc.oneof(
  fc.constant(""),
  { weight: 3, arbitrary: form },
  form.map((value) => value.replaceAll("%", "")),
  multipart,
  multipart.map((value) => value.slice(0, -9)),
  multipart.map((value) => value.replaceAll("form-data; name", "form-data; filename")),
  fc.json(),
  fc.json().map((value) => value.slice(0, -1)),
  fc.constant("[".repeat(20_000)),
  fc.constant(`{"__proto__":{"isGodAdmin":true},"txnid":"a\u0000b"}`),
  fc.constant("a=1&".repeat(20_000)),
  fc.constant("x".repeat(70_000)),
  fc.constant("5\r\nhello\r\n0\r\n\r\n"),
  fc.constant("ffffffffffffffff\r\nx"),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/**
 * Requests to every route of the product, malformed in some of their parts.
 *
 * @param handlers the paths of handlers other than screens
 * @param ids existing and unknown ids
 * @param people the possible senders
 */
export function malformed(
  origin: string,
  handlers: string[],
  ids: string[],
  people: string[],
): fc.Arbitrary<Asked> {
  const host = new URL(origin).host;
  const routes = [...new Set([...screenPaths, ...handlers, "/assets/none.js", "/icon.svg"])];
  const path = fc
    .tuple(
      fc.constantFrom(...routes),
      fc.constantFrom(...detours),
      fc.oneof(fc.constantFrom(...ids), inAddress),
    )
    .map(([route, detour, id]) => detour(route.replace(/:\w+(\{.*\})?\??/, id).replace("*", id)));
  const hosts = fc.oneof(
    { weight: 9, arbitrary: fc.constant(host) },
    fc.constantFrom(
      "",
      "elsewhere.example",
      `${host}:99999`,
      "a b",
      "[::1",
      `user@${host}`,
      "x".repeat(2_000),
    ),
  );
  return fc
    .record({
      method: methods,
      path,
      query,
      host: hosts,
      isOwn: fc.boolean(),
      headers,
      body: bodies,
      as: fc.constantFrom(...people),
    })
    .map(({ method, path: at, query: asked, host: named, isOwn, headers: more, body, as }) => {
      const sent = new Map([
        ["Host", named],
        ...(isOwn ? [["Origin", origin] as const] : []),
        ...more,
      ]);
      if (body !== "" && !sent.has("Content-Type") && isOwn)
        sent.set("Content-Type", "application/x-www-form-urlencoded");
      return {
        method,
        target: bare(at) + (asked && `?${asked}`),
        headers: [...sent],
        body: Buffer.from(body),
        as,
        isWhole: !sent.has("Content-Length") && !sent.has("Transfer-Encoding"),
      };
    });
}

/** Requests with some bytes changed, removed or inserted. */
export function garbled(asked: fc.Arbitrary<Asked>): fc.Arbitrary<{ asked: Asked; bytes: Buffer }> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    gone: fc.constantFrom(0, 0, 1, 2, 20),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 4 }),
      fc
        .constantFrom("\n", "\r", "\r\n", "\r\n\r\n", "\u0000", ":", " ", "\t", "HTTP/9.9")
        .map((put) => Uint8Array.from(Buffer.from(put))),
    ),
  });
  return fc.tuple(asked, fc.array(change, { minLength: 1, maxLength: 4 })).map(([one, changes]) => {
    const bytes = changes.reduce(
      (all, { at, gone, put }) => {
        const place = Math.floor(at * all.length);
        return Buffer.concat([all.subarray(0, place), put, all.subarray(place + gone)]);
      },
      bytesOf(one, ""),
    );
    return { asked: one, bytes };
  });
}

/** Removes line breaks; `garbled` inserts them instead. */
function bare(value: string): string {
  return value.replaceAll(/[\r\n]/g, "");
}
