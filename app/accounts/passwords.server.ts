import { hash, verify } from "@node-rs/argon2";

// argon2id with the memory and passes that OWASP's password storage guide gives as its minimum.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes a password with argon2id; takes some tens of milliseconds on purpose. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** True when the password is the one that was hashed. */
export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password).catch(() => false);
}
