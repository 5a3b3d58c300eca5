import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** An encrypted secret, as stored. */
type Sealed = { sealedSecret: Buffer; keyId: string };

const algorithm = "aes-256-gcm";
/** In bytes. */
const [ivLength, tagLength] = [12, 16];

/**
 * Encrypts a person's secret with the first key. It can't be decrypted in another person's row.
 *
 * @param keys from the settings, newest first
 * @param userId or another text that names the row
 */
export function sealSecret(keys: readonly string[], userId: string, secret: Buffer): Sealed {
  const { id, bytes } = deriveKey(keys[0]!);
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, bytes, iv).setAAD(Buffer.from(userId));
  const parts = [iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()];
  return { sealedSecret: Buffer.concat(parts), keyId: id };
}

/**
 * Decrypts a person's secret.
 *
 * @throws {Error} if its key is no longer in the settings, or the row was changed.
 */
export function unsealSecret(
  keys: readonly string[],
  userId: string,
  { sealedSecret, keyId }: Sealed,
): Buffer {
  const key = keys.map(deriveKey).find(({ id }) => id === keyId);
  if (!key) throw new Error(`SECOND_FACTOR_KEYS lacks the key ${keyId}, which encrypts a secret.`);
  const iv = sealedSecret.subarray(0, ivLength);
  const decipher = createDecipheriv(algorithm, key.bytes, iv, { authTagLength: tagLength })
    .setAAD(Buffer.from(userId))
    .setAuthTag(sealedSecret.subarray(-tagLength));
  const encrypted = sealedSecret.subarray(ivLength, -tagLength);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

/** Returns the id by which rows name the key that encrypted them. */
export function getKeyId(key: string): string {
  return deriveKey(key).id;
}

function deriveKey(text: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(hkdfSync("sha256", text, "", "second factor", 32));
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 12), bytes };
}
