import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** A secret as it is stored. */
type Sealed = { sealedSecret: Buffer; keyId: string };

const cipher = "aes-256-gcm";
/** In bytes. */
const [startLength, tagLength] = [12, 16];

/**
 * Seals a person's secret with the first key. It opens for that person alone: in another's row it is
 * worth nothing.
 *
 * @param keys the texts of the settings, the newest first
 */
export function sealSecret(keys: readonly string[], userId: string, secret: Buffer): Sealed {
  const { id, bytes } = deriveKey(keys[0]!);
  const start = randomBytes(startLength);
  const sealing = createCipheriv(cipher, bytes, start).setAAD(Buffer.from(userId));
  const parts = [start, sealing.update(secret), sealing.final(), sealing.getAuthTag()];
  return { sealedSecret: Buffer.concat(parts), keyId: id };
}

/**
 * Opens what was sealed for a person.
 *
 * @throws {Error} where its key is not in the settings any more, or somebody changed the row.
 */
export function unsealSecret(
  keys: readonly string[],
  userId: string,
  { sealedSecret, keyId }: Sealed,
): Buffer {
  const key = keys.map(deriveKey).find(({ id }) => id === keyId);
  if (!key)
    throw new Error(`SECOND_FACTOR_KEYS lacks the key ${keyId}, which sealed an authenticator.`);
  const start = sealedSecret.subarray(0, startLength);
  const opening = createDecipheriv(cipher, key.bytes, start, { authTagLength: tagLength })
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealedSecret.subarray(-tagLength));
  const text = sealedSecret.subarray(startLength, -tagLength);
  return Buffer.concat([opening.update(text), opening.final()]);
}

/** The name by which rows say which key sealed them. */
export function getKeyId(key: string): string {
  return deriveKey(key).id;
}

function deriveKey(text: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(hkdfSync("sha256", text, "", "second factor", 32));
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 12), bytes };
}
