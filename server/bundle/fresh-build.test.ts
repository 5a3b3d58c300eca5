import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildIfStale } from "./fresh-build.ts";
import { ownFolder } from "../../tests/support/product/own-folder.ts";

test("a new clone is built only once", async () => {
  const clone = await newClone();

  expect(await clone.build()).toBe("built");
  expect(await clone.build()).toBe("fresh");
  expect(await clone.builds()).toEqual(["production, gallery on"]);
});

test("a build for production leaves the gallery out", async () => {
  const clone = await newClone();
  await clone.build();

  expect(await clone.build({ gallery: false })).toBe("built");
  expect(await clone.build()).toBe("fresh");
  expect(await clone.build({ gallery: true })).toBe("built");
  expect(await clone.builds()).toEqual(
    ["on", "off", "on"].map((gallery) => `production, gallery ${gallery}`),
  );
});

test("a changed, new or removed source triggers a build", async () => {
  const clone = await newClone();
  await clone.build();

  await clone.write("app/root.tsx", "changed");
  expect(await clone.build()).toBe("built");
  await clone.write("db/migrations/0002.sql", "new");
  expect(await clone.build()).toBe("built");
  await rm(join(clone.root, "db/migrations/0002.sql"));
  expect(await clone.build()).toBe("built");
});

test("a changed test does not trigger a build", async () => {
  const clone = await newClone();
  await clone.build();
  await clone.write("app/root.test.tsx", "changed");

  expect(await clone.build()).toBe("fresh");
});

test("a missing or truncated built file triggers a build", async () => {
  const clone = await newClone();
  await clone.build();

  await rm(join(clone.root, "build/client/app.js"));
  expect(await clone.build()).toBe("built");
  await writeFile(join(clone.root, "build/server/index.js"), "");
  expect(await clone.build()).toBe("built");
});

test("a failed build shows its output and leaves no stamp", async () => {
  const clone = await newClone();
  await clone.build();
  await clone.write("app/root.tsx", "broken");

  await expect(clone.build()).rejects.toThrow(/build failed \(code 1\):[^]*cannot read broken/);
  expect(existsSync(join(clone.root, "build/stamp.json"))).toBe(false);
  await clone.write("app/root.tsx", "fixed");
  expect(await clone.build()).toBe("built");
});

test("processes that start at the same time build once", async () => {
  const clone = await newClone();

  expect((await Promise.all([clone.build(), clone.build()])).toSorted()).toEqual([
    "built",
    "fresh",
  ]);
  expect(await clone.builds()).toHaveLength(1);
});

test("a build ends if its parent is killed, and the next start builds", async () => {
  const clone = await newClone();
  await clone.write("app/root.tsx", "endless");
  const parent = clone.buildInChild();
  await expect.poll(() => existsSync(join(clone.root, "build/started"))).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => existsSync(join(clone.root, "build/ended"))).toBe(true);

  await clone.write("app/root.tsx", "fixed");
  expect(await clone.build()).toBe("built");
});

/** Replaces the bundler. It records each run, and fails or hangs depending on the source. */
const bundler = `
  const { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
  rmSync("build", { recursive: true, force: true });
  const source = readFileSync("app/root.tsx", "utf8");
  for (const folder of ["build/client", "build/server"]) mkdirSync(folder, { recursive: true });
  appendFileSync("builds", process.env.NODE_ENV + ", gallery " + process.env.GALLERY + "\\n");
  if (source === "broken") throw new Error("cannot read broken");
  if (source === "endless") {
    process.on("exit", () => writeFileSync("build/ended", ""));
    writeFileSync("build/started", "");
    setInterval(() => {}, 1000);
  } else {
    writeFileSync("build/client/app.js", source);
    writeFileSync("build/server/index.js", source);
  }
`;

async function newClone() {
  const root = ownFolder(onTestFinished);
  const write = async (file: string, text: string) => {
    await mkdir(join(root, file, ".."), { recursive: true });
    await writeFile(join(root, file), text);
  };
  await write("node_modules/@react-router/dev/bin.cjs", bundler);
  await write("app/root.tsx", "first");
  await write("package-lock.json", "{}");
  return {
    root,
    write,
    build: (options: { gallery?: boolean } = {}) =>
      buildIfStale({ root, log: () => {}, ...options }),
    builds: async () => (await readFile(join(root, "builds"), "utf8")).trim().split("\n"),
    buildInChild: () => {
      const script = `
        import { buildIfStale } from ${JSON.stringify(new URL("fresh-build.ts", import.meta.url).href)};
        await buildIfStale({ root: process.argv[1], log: console.log });
      `;
      return spawn(process.execPath, ["--input-type=module", "--eval", script, root], {
        stdio: "ignore",
      });
    },
  };
}
