import { createCipheriv, createHash } from "node:crypto";
import { nameOf, type PdfDictionary } from "./pdf-syntax.server.ts";

/**
 * Whether an encrypted PDF opens without typing a password: the standard security handler, with an
 * empty user password (ISO 32000-2, 7.6.4). Such a file restricts only what its reader may do.
 *
 * @param encryption the dictionary that the trailer names `Encrypt`
 * @param id the first part of the trailer's `ID`; empty when there is none
 */
export function opensWithoutPassword(encryption: PdfDictionary, id: Buffer): boolean {
  if (nameOf(encryption.get("Filter")) !== "Standard") return false;
  const revision = encryption.get("R");
  const stored = encryption.get("U");
  if (typeof revision !== "number" || !Buffer.isBuffer(stored)) return false;

  if (revision >= 2 && revision <= 4) {
    const computed = userEntry(encryption, revision, id);
    return computed !== null && computed.equals(stored.subarray(0, computed.length));
  }
  if ((revision === 5 || revision === 6) && stored.length >= 48) {
    const salt = stored.subarray(32, 40);
    const hash = revision === 5 ? digest("sha256", salt) : hardenedHash(salt);
    return hash.equals(stored.subarray(0, 32));
  }
  return false;
}

/** What stands for an empty password: the 32 bytes with which a short one is filled up. */
const padding = Buffer.from(
  "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a",
  "hex",
);

/** Algorithms 2, 4 and 5: the entry `U` of an empty password, as far as it can be compared. */
function userEntry(encryption: PdfDictionary, revision: number, id: Buffer): Buffer | null {
  const owner = encryption.get("O");
  const permissions = encryption.get("P");
  if (!Buffer.isBuffer(owner) || typeof permissions !== "number") return null;

  const permissionBytes = Buffer.alloc(4);
  permissionBytes.writeInt32LE(permissions | 0);
  const clearMetadata = revision === 4 && encryption.get("EncryptMetadata") === false;
  const keyLength = revision === 2 ? 5 : keyBytes(encryption);
  const metadataMark = Buffer.alloc(clearMetadata ? 4 : 0, 255);
  const ownerEntry = owner.subarray(0, 32);
  let key = digest("md5", padding, ownerEntry, permissionBytes, id, metadataMark);
  if (revision === 2) return rc4(key.subarray(0, keyLength), padding);

  for (let round = 0; round < 50; round++) key = digest("md5", key.subarray(0, keyLength));
  let entry = digest("md5", padding, id);
  for (let round = 0; round < 20; round++) {
    const roundKey = key.subarray(0, keyLength).map((byte) => byte ^ round);
    entry = rc4(roundKey, entry);
  }
  return entry;
}

function keyBytes(encryption: PdfDictionary): number {
  if (encryption.get("V") === 4) return 16;
  const bits = encryption.get("Length");
  return typeof bits === "number" && bits >= 40 && bits <= 128 ? bits >> 3 : 5;
}

/** Algorithm 2.B, for an empty password. */
function hardenedHash(salt: Uint8Array): Buffer {
  let key = digest("sha256", salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const cipher = createCipheriv("aes-128-cbc", key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const scrambled = cipher.update(Buffer.concat(Array<Buffer>(64).fill(key)));
    const remainder = scrambled.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = digest(["sha256", "sha384", "sha512"][remainder]!, scrambled);
    last = scrambled.at(-1)!;
  }
  return key.subarray(0, 32);
}

function digest(algorithm: string, ...parts: Uint8Array[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Written out because OpenSSL 3 no longer offers it. */
function rc4(key: Uint8Array, input: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  let i = 0;
  let j = 0;
  return Buffer.from(input).map((byte) => {
    i = (i + 1) & 255;
    j = (j + state[i]!) & 255;
    [state[i], state[j]] = [state[j]!, state[i]!];
    return byte ^ state[(state[i]! + state[j]!) & 255]!;
  }) as Buffer;
}
