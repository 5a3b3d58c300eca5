import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import type { S3Settings } from "../../../app/platform/config.server.ts";

export type S3Service = {
  settings: S3Settings;
  env: Record<string, string>;
  close(): Promise<void>;
};

/**
 * Starts an S3 service with an empty bucket. Like older services it ignores conditional puts. It does not
 * support multipart uploads.
 */
export async function s3Service(): Promise<S3Service> {
  const { TEST_S3_ENDPOINT } = process.env;
  return TEST_S3_ENDPOINT ? bucketAt(TEST_S3_ENDPOINT) : ownService();
}

/** Creates a bucket at the running service that TEST_S3_ENDPOINT, _KEY and _SECRET describe. */
async function bucketAt(endpoint: string): Promise<S3Service> {
  const { TEST_S3_KEY = "", TEST_S3_SECRET = "" } = process.env;
  const bucket = `naksha-${randomUUID()}`;
  const service = serviceAt({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: TEST_S3_KEY,
    S3_SECRET_ACCESS_KEY: TEST_S3_SECRET,
    S3_PATH_STYLE: "on",
  });
  const { region, accessKeyId, secretAccessKey } = service.settings;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return { ...service, close: async () => client.destroy() };
}

async function ownService(): Promise<S3Service> {
  const directory = await mkdtemp(join(tmpdir(), "naksha-s3-"));
  const bucket = "naksha-files";
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    // S3rver signs the path of a list without its final slash, unlike S3.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    ...serviceAt({
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
      S3_PATH_STYLE: "on",
    }),
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}

type Place = Record<
  "S3_ENDPOINT" | "S3_BUCKET" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY" | "S3_PATH_STYLE",
  string
>;

function serviceAt(env: Place): Pick<S3Service, "env" | "settings"> {
  return {
    env,
    settings: {
      endpoint: env.S3_ENDPOINT,
      bucket: env.S3_BUCKET,
      region: "us-east-1",
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      isPathStyle: true,
      spoolBytes: 64 * 1_048_576,
    },
  };
}
