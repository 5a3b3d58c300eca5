import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readConfig } from "../config.server.ts";
import { loadEnvFile } from "./read-settings.server.ts";
import { ownFolder } from "../../../tests/support/product/own-folder.ts";

let folder: string;
beforeEach(() => {
  folder = ownFolder();
});

test("settings are read from .env, and the environment takes precedence", () => {
  write(`# Where it is\nPORT=4100\nexport PRODUCT_NAME="Compass # 1"\nRATE_LIMITS=off\n`);
  const env = { RATE_LIMITS: "on" };
  readConfig(env, loadEnvFile(folder, env));
  expect(readConfig(env)).toMatchObject({
    port: 4100,
    rateLimits: "on",
    product: { name: "Compass # 1" },
  });
});

test("a wrong setting from .env is reported with its line", () => {
  write(`PORT=3000\n\nPORT=http\n`);
  const env = { HOST: "a b" };
  const lines = loadEnvFile(folder, env);
  expect(() => readConfig(env, lines)).toThrow(
    /PORT must be .*, not "http" \(line 3 of \.env\)\.\nHOST must be .*, not "a b"\.$/,
  );
});

test.each(["PORT 3000", "PORT: 3000", "PORT"])(
  "the line %j without an equals sign is reported",
  (line) => {
    write(`# PORT is not set\n${line}\nRATE_LIMITS=off\n`);
    expect(() => loadEnvFile(folder, {})).toThrow(/^PORT needs an equals sign .* \(line 2 of /);
  },
);

test("a missing .env is fine, but a missing ENV_FILE is an error", () => {
  const env = {};
  expect(loadEnvFile(folder, env)).toEqual(new Map());
  expect(env).toEqual({});
  expect(() => loadEnvFile(folder, { ENV_FILE: "other.env" })).toThrow(
    /^Couldn't read .*other\.env/,
  );
});

test("ENV_FILE names another file, or none", () => {
  write("PORT=4100");
  writeFileSync(join(folder, "other.env"), "PORT=4200");
  const [other, none] = [{ ENV_FILE: "other.env" }, { ENV_FILE: "none" }];
  loadEnvFile(folder, other);
  loadEnvFile(folder, none);
  expect(other).toMatchObject({ PORT: "4200" });
  expect(none).toEqual({ ENV_FILE: "none" });
});

function write(text: string): void {
  writeFileSync(join(folder, ".env"), text);
}
