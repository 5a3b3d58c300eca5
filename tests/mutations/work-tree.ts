import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A second work tree of the repository, so that changes do not touch the developer's files. */
export type WorkTree = {
  folder: string;
  /** @throws {Error} unless `before` occurs exactly once in the file. */
  replace(file: string, before: string, after: string): void;
  /** Restores a file's committed text. */
  restore(file: string): void;
  remove(): void;
};

/** Checks out HEAD into a new folder and links the installed packages of `root`. */
export function createWorkTree(root: string, folder: string): WorkTree {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  git(root, "worktree", "add", "--detach", folder, "HEAD");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return {
    folder,
    replace(file, before, after) {
      const path = join(folder, file);
      writeFileSync(path, replaceOnce(readFileSync(path, "utf8"), before, after));
    },
    restore: (file) => void git(folder, "checkout", "HEAD", "--", file),
    remove: () => void git(root, "worktree", "remove", "--force", folder),
  };
}

/** @throws {Error} unless `before` occurs exactly once in the text. */
export function replaceOnce(text: string, before: string, after: string): string {
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new Error(`The text to replace occurs ${parts.length - 1} times, not once:\n${before}`);
  return parts.join(after);
}
