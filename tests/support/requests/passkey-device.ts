import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

type Ceremony = {
  origin: string;
  challenge: string;
  /** True if the device verified the person. */
  isVerified?: boolean;
};

/** A WebAuthn device with one passkey: an ES256 key without attestation. */
export function passkeyDevice() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let counter = 0;
  const named = { id: id.toString("base64url"), rawId: id.toString("base64url") };
  const rest = { clientExtensionResults: {}, type: "public-key" as const };

  const facts = ({ origin, isVerified = true }: Ceremony, flags = 0) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter += 1));
    const flag = 1 | (isVerified ? 4 : 0) | flags;
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flag]), count]);
  };
  const clientData = (type: string, { origin, challenge }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  return {
    /** Creates the passkey. */
    register(ceremony: Ceremony): RegistrationResponseJSON {
      const { x, y } = publicKey.export({ format: "jwk" });
      const [xBytes, yBytes] = [Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")];
      const key = cbor(
        new Map<unknown, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, xBytes],
          [-3, yBytes],
        ]),
      );
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([facts(ceremony, 64), Buffer.alloc(16), length, id, key]);
      const attestation = new Map<unknown, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", ceremony).toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
      };
      return { ...named, ...rest, response };
    },
    /** Signs in with the passkey. */
    signIn(ceremony: Ceremony): AuthenticationResponseJSON {
      const authData = facts(ceremony);
      const data = clientData("webauthn.get", ceremony);
      const response = {
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: sign("sha256", Buffer.concat([authData, sha256(data)]), privateKey).toString(
          "base64url",
        ),
      };
      return { ...named, ...rest, response };
    },
  };
}

function sha256(text: string | Buffer): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Encodes the CBOR types that a passkey needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const map = value as Map<unknown, unknown>;
  return Buffer.concat([head(5, map.size), ...[...map].flat().map(cbor)]);
}

function head(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(kind << 5) | length]);
  return Buffer.from([(kind << 5) | 24, length]);
}
