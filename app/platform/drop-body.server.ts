/** So much of a body that is too long is read and dropped, in bytes. */
const longestDrop = 64 * 1024 * 1024;

/** Reads on through a body that nobody wants: whoever sends it sees the answer only after sending. */
export async function dropBody(request: Request): Promise<void> {
  let dropped = 0;
  for await (const chunk of request.body ?? []) {
    dropped += chunk.length;
    if (dropped > longestDrop) return;
  }
}
