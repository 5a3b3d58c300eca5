import { request } from "node:http";

/** A tus client for a signed-in person or a visitor. */
export function tusClient(origin: string, cookie: string | null) {
  const headers = { "Tus-Resumable": "1.0.0", Origin: origin, ...(cookie && { Cookie: cookie }) };
  const chunk = { ...headers, "Content-Type": "application/offset+octet-stream" };
  return {
    headers,
    /** Starts an upload. The answer has its address. */
    declare: (
      metadata: Record<string, string>,
      size: number | string,
      more: Record<string, string> = {},
    ) =>
      fetch(`${origin}/uploads`, {
        method: "POST",
        headers: {
          ...headers,
          "Upload-Length": String(size),
          "Upload-Metadata": encoded(metadata),
          ...more,
        },
      }),
    /** Starts an upload and returns its address. */
    async begin(metadata: Record<string, string>, size: number): Promise<string> {
      const answer = await this.declare(metadata, size);
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
      return origin + answer.headers.get("Location")!;
    },
    send: (address: string, offset: number, bytes: Uint8Array) =>
      fetch(address, {
        method: "PATCH",
        headers: { ...chunk, "Upload-Offset": String(offset) },
        body: bytes as Uint8Array<ArrayBuffer>,
      }),
    head: (address: string) => fetch(address, { method: "HEAD", headers }),
    remove: (address: string) => fetch(address, { method: "DELETE", headers }),
    /** Sends a part of the announced bytes over a connection that then hangs. */
    async sendAndHang(address: string, offset: number, bytes: Uint8Array, announced: number) {
      const sending = request(address, {
        method: "PATCH",
        headers: { ...chunk, "Upload-Offset": offset, "Content-Length": announced },
      });
      sending.on("error", () => {});
      await new Promise((sent) => sending.write(bytes, sent));
      return sending;
    },
    /** Sends a part of the announced bytes, then drops the connection. */
    async sendAndLoseConnection(...asked: [string, number, Uint8Array, number]): Promise<void> {
      const sending = await this.sendAndHang(...asked);
      await new Promise((closed) => sending.on("close", closed).destroy());
    },
  };
}

function encoded(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}
