import { crc32, deflateRawSync } from "node:zlib";

export type ZipPart = {
  name: string;
  content: string | Buffer;
  /** The size in the central directory, in bytes. */
  claimed?: number;
  flags?: number;
};

type Layout = {
  /** Writes sizes after each part, like programs that stream their output. */
  descriptors?: boolean;
  /** Writes offsets and sizes as 64-bit numbers. */
  zip64?: boolean;
};

const descriptorFlag = 1 << 3;
const ofEightBytes = 0xff_ff_ff_ff;

/** Builds a zip archive. */
export function makeZip(parts: ZipPart[], { descriptors = false, zip64 = false }: Layout = {}) {
  const bodies: Buffer[] = [];
  const table: Buffer[] = [];
  let offset = 0;
  for (const { name: text, content, claimed, flags = 0 } of parts) {
    const name = Buffer.from(text);
    const packed = deflateRawSync(content);
    const size = claimed ?? Buffer.byteLength(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(zip64 ? 45 : 20, 0);
    facts.writeUInt16LE(flags | (descriptors ? descriptorFlag : 0), 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(name.length, 22);
    const local = Buffer.from(facts);
    if (descriptors) local.fill(0, 10, 22);
    const descriptor = Buffer.alloc(descriptors ? 16 : 0);
    if (descriptors) {
      descriptor.write("PK\x07\x08", "latin1");
      facts.copy(descriptor, 4, 10, 22);
    }
    const extra = Buffer.alloc(zip64 ? 28 : 0);
    if (zip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(size), 4);
      extra.writeBigUInt64LE(BigInt(packed.length), 12);
      extra.writeBigUInt64LE(BigInt(offset), 20);
      facts.writeUInt32LE(ofEightBytes, 14);
      facts.writeUInt32LE(ofEightBytes, 18);
      facts.writeUInt16LE(extra.length, 24);
    }
    const position = Buffer.alloc(14);
    position.writeUInt32LE(zip64 ? ofEightBytes : offset, 10);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), local, name, packed, descriptor]);
    table.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), facts, position, name, extra);
    bodies.push(body);
    offset += body.length;
  }
  const directory = Buffer.concat(table);
  const wide = zip64 ? zip64End(parts.length, directory.length, offset) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(zip64 ? 0xff_ff : parts.length, 8);
  end.writeUInt16LE(zip64 ? 0xff_ff : parts.length, 10);
  end.writeUInt32LE(zip64 ? ofEightBytes : directory.length, 12);
  end.writeUInt32LE(zip64 ? ofEightBytes : offset, 16);
  return Buffer.concat([...bodies, directory, wide, end]);
}

/** Builds the zip64 end record of the central directory and its locator. */
function zip64End(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}
