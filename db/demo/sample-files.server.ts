import { stat } from "node:fs/promises";
import { extname, join } from "node:path";
import {
  listCustomerPaths,
  createReviewFilePath,
  createReviewImagePath,
} from "../../app/files/names.server.ts";
import type { Bucket } from "../../app/files/rules.ts";
import { type FileStore, saveUnderFreePath } from "../../app/files/store.server.ts";
import type { storedFiles } from "../../app/files/tables.server.ts";

/** The row of a file in the store. */
type FileRow = typeof storedFiles.$inferInsert;
type From = { uploadedBy: string; createdAt: Date };

const mimeTypes: Record<string, string> = { ".pdf": "application/pdf", ".png": "image/png" };

/** Saves the demo's sample files to the store and returns their rows for the caller to insert. */
export class SampleFiles {
  readonly #store: FileStore;
  readonly #folder: string;

  /** @param folder the folder of the sample files */
  constructor(store: FileStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Stores a customer's file. @param name the sample's file name */
  async storeMaterial(bucket: Bucket, name: string, from: From): Promise<FileRow> {
    const paths = listCustomerPaths(from.uploadedBy, from.createdAt, "pdf");
    return this.#row(
      bucket,
      await saveUnderFreePath(this.#store, bucket, paths, this.#at(name)),
      name,
      from,
    );
  }

  /** Stores a reviewer's screenshot. @param shownName its original file name */
  async storeScreenshot(
    reviewId: string,
    name: string,
    shownName: string,
    from: From,
  ): Promise<FileRow> {
    const path = createReviewImagePath(reviewId, shownName, "png");
    await this.#store.put("review-images", path, this.#at(name));
    return this.#row("review-images", path, name, from);
  }

  /** Stores a reviewer's file. */
  async storeReviewerFile(reviewId: string, name: string, from: From): Promise<FileRow> {
    const path = createReviewFilePath(reviewId, name);
    await this.#store.put("review-files", path, this.#at(name));
    return this.#row("review-files", path, name, from);
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  async #row(bucket: Bucket, path: string, name: string, from: From): Promise<FileRow> {
    const { size } = await stat(this.#at(name));
    const mimeType = mimeTypes[extname(name)]!;
    return { bucket, path, originalName: name, mimeType, size, showable: true, ...from };
  }
}
