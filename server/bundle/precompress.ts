import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Of smaller files compression saves less than its own headers take. */
const smallest = 300;

/** Compresses the browser's files once, when they are built, as well as it can be done. */
export function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    writeBundle: {
      sequential: true,
      async handler({ dir }) {
        const files = await readdir(dir ?? "build/client", {
          recursive: true,
          withFileTypes: true,
        });
        const texts = files.filter(
          (file) => file.isFile() && /\.(js|css|svg|json)$/.test(file.name),
        );
        await Promise.all(texts.map((file) => compress(join(file.parentPath, file.name))));
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < smallest) return;
  const options = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
  await Promise.all([
    brotli(content, options).then((smaller) => writeFile(`${path}.br`, smaller)),
    deflate(content, { level: 9 }).then((smaller) => writeFile(`${path}.gz`, smaller)),
  ]);
}
