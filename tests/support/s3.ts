import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import type { S3Settings } from "../../app/platform/config.server.ts";

export type S3Service = {
  settings: S3Settings;
  env: Record<string, string>;
  close(): Promise<void>;
};

/**
 * A service that speaks S3, with an empty bucket. It ignores conditions on what is put, as older ones do,
 * and knows neither the parts of an upload in parts nor its end.
 */
export async function s3Service(): Promise<S3Service> {
  const directory = await mkdtemp(join(tmpdir(), "naksha-s3-"));
  const bucket = "naksha-files";
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    // It signs the path of a list otherwise than S3 does, without the slash at its end.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const env = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    S3_PATH_STYLE: "on",
  };
  return {
    env,
    settings: {
      endpoint: env.S3_ENDPOINT,
      bucket,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
      isPathStyle: true,
      spoolBytes: 64 * 1_048_576,
    },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
