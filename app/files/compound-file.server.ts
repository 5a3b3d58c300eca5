import type { FileHandle } from "node:fs/promises";
import { readAt } from "./file-bytes.server.ts";

/**
 * Reads the directory of an OLE compound file ([MS-CFB]), the container of old Word documents and
 * of password-protected new ones. Every number in it is a claim: none leads outside the file, and
 * no chain is followed longer than the file could hold.
 */
export type CompoundFile = {
  streams: CompoundStream[];
  /**
   * The first bytes of a stream.
   *
   * @throws {DamagedCompoundFile} if a part of the stream lies beyond the end of the file.
   */
  readStart: (stream: CompoundStream, length: number) => Promise<Buffer>;
};

export type CompoundStream = { name: string; size: number; firstSector: number };

export class DamagedCompoundFile extends Error {
  override name = "DamagedCompoundFile";
}

export const compoundSignature = Buffer.from("d0cf11e0a1b11ae1", "hex");

const headerSize = 512;
const entrySize = 128;
const streamEntry = 2;
const rootEntry = 5;
const lastRegularSector = 0xfffffffa;
const endOfChain = 0xfffffffe;
const smallStreamLimit = 4096;
const smallSectorSize = 64;
/** A Word document has a few dozen streams; this is room for thousands. */
const maxDirectorySectors = 1000;

/** @throws {DamagedCompoundFile} */
export async function openCompoundFile(file: FileHandle, size: number): Promise<CompoundFile> {
  const header = await readAt(file, 0, headerSize);
  const sectorShift = header.length === headerSize ? header.readUInt16LE(30) : 0;
  if (sectorShift !== 9 && sectorShift !== 12) throw new DamagedCompoundFile("sector size");
  const sectorSize = 1 << sectorShift;
  const sectorCount = Math.ceil(size / sectorSize) - 1;

  const readSector = async (sector: number): Promise<Buffer> => {
    if (sector >= sectorCount) throw new DamagedCompoundFile(`sector ${sector} is missing`);
    return readAt(file, (sector + 1) * sectorSize, sectorSize);
  };
  const table = await readAllocationTable(header, sectorSize, sectorCount, readSector);
  const chain = (first: number): number[] => followChain(table, first, sectorCount);

  const directory: Buffer[] = [];
  for (const sector of chain(header.readUInt32LE(48)).slice(0, maxDirectorySectors)) {
    directory.push(await readSector(sector));
  }
  const entries = readDirectory(Buffer.concat(directory), sectorSize);
  const root = entries.find((entry) => entry.type === rootEntry);

  return {
    streams: entries.filter((entry) => entry.type === streamEntry),
    readStart: async (stream, length) => {
      if (stream.size >= smallStreamLimit) {
        const sectors = chain(stream.firstSector);
        if (sectors.length * sectorSize < stream.size) throw new DamagedCompoundFile(stream.name);
        return (await readSector(sectors[0]!)).subarray(0, length);
      }
      // Small streams share the sectors of the root's stream.
      const offset = stream.firstSector * smallSectorSize;
      const sector = root && chain(root.firstSector)[Math.floor(offset / sectorSize)];
      if (sector === undefined) throw new DamagedCompoundFile(stream.name);
      const within = offset % sectorSize;
      const end = within + Math.min(length, stream.size, smallSectorSize);
      return (await readSector(sector)).subarray(within, end);
    },
  };
}

/** For each sector of the file, the one that follows it. */
async function readAllocationTable(
  header: Buffer,
  sectorSize: number,
  sectorCount: number,
  readSector: (sector: number) => Promise<Buffer>,
): Promise<Buffer> {
  const wanted = Math.ceil((sectorCount * 4) / sectorSize);
  const parts: Buffer[] = [];
  let list = header.subarray(76, headerSize);
  let nextList = header.readUInt32LE(68);
  for (let lists = 0; lists <= sectorCount; lists++) {
    for (let at = 0; at + 4 <= list.length && parts.length < wanted; at += 4) {
      const sector = list.readUInt32LE(at);
      if (sector <= lastRegularSector) parts.push(await readSector(sector));
    }
    if (nextList > lastRegularSector || parts.length >= wanted) break;
    const sector = await readSector(nextList);
    if (sector.length < sectorSize) throw new DamagedCompoundFile("allocation table");
    list = sector.subarray(0, sectorSize - 4);
    nextList = sector.readUInt32LE(sectorSize - 4);
  }
  return Buffer.concat(parts);
}

/** @throws {DamagedCompoundFile} if the chain leaves the file or does not end. */
function followChain(table: Buffer, first: number, sectorCount: number): number[] {
  const sectors: number[] = [];
  for (let sector = first; sector !== endOfChain; sector = table.readUInt32LE(sector * 4)) {
    const outside = sector >= sectorCount || sector * 4 + 4 > table.length;
    if (outside || sectors.length >= sectorCount) throw new DamagedCompoundFile("chain");
    sectors.push(sector);
  }
  return sectors;
}

function readDirectory(
  directory: Buffer,
  sectorSize: number,
): (CompoundStream & { type: number })[] {
  const entries = [];
  for (let at = 0; at + entrySize <= directory.length; at += entrySize) {
    const entry = directory.subarray(at, at + entrySize);
    const nameBytes = Math.min(64, entry.readUInt16LE(64));
    entries.push({
      name: entry.toString("utf16le", 0, Math.max(0, nameBytes - 2)),
      type: entry[66]!,
      firstSector: entry.readUInt32LE(116),
      // With sectors of 512 bytes the upper half of the size may hold anything.
      size: entry.readUInt32LE(120) + (sectorSize > 512 ? entry.readUInt32LE(124) * 2 ** 32 : 0),
    });
  }
  return entries;
}
