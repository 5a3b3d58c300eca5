import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PDFiumModule } from "@hyzyla/pdfium";
import type { Opened, PageApi } from "./pdfium-api.server.ts";
import { NoPictureMemory, openPage, type PdfPage } from "./pdfium-page.server.ts";

/**
 * PDFium, Chromium's PDF engine, as WebAssembly. Only the files `pdfium*.server.ts` of this folder call it. The package's
 * version is pinned, since the plain functions (`_FPDF…`) are not part of its public API. Only child processes load
 * it, since documents are untrusted.
 */
type Pdfium = {
  /** Opens a document, which must be closed before the next. */
  open(bytes: Uint8Array): PdfDocument | PdfFailure;
  /**
   * Returns why a call of the engine threw: a lack of memory or a crash (a WebAssembly trap). Afterwards the engine must
   * not be used again, since its memory is in an unknown state.
   *
   * @returns null for any other error
   */
  failureOf(error: unknown): EngineFailure | null;
};

type EngineFailure = "oversized" | "crashed";

type PdfFailure = "password" | "damaged";

export type PdfDocument = {
  pageCount: number;
  /** Reads a page with its content. */
  loadsPage(index: number): boolean;
  /** Opens a page, which must be closed before the next. Returns null if it can't be read. */
  openPage(index: number): PdfPage | null;
  /** Writes the document again, without encryption and with every object uncompressed. */
  rewritten(): Buffer;
  close(): void;
};

/** The engine's memory limit in bytes. Documents that need more fail inside it. */
const memoryLimit = 512 * 1_048_576;

/** Results of FPDF_GetLastError: the password is wrong, or its handler is unknown. */
const passwordErrors = [4, 5];
const removeSecurity = 3;
/** The only free slot in the function table, the null pointer's. */
const freeSlot = 0;

type Api = PageApi & {
  _FPDF_InitLibrary(): void;
  _FPDF_LoadMemDocument64(bytes: number, size: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDFDOC_InitFormFillEnvironment(document: number, callbacks: number): number;
  _FPDFDOC_ExitFormFillEnvironment(form: number): void;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_CloseDocument(document: number): void;
  wasmExports: { __indirect_function_table: WebAssembly.Table };
};

/**
 * Rewrites a document with a separate engine, without encryption and with every object uncompressed. Some documents
 * that crash the engine open after this.
 *
 * @returns null for a document that it can't open
 * @throws {WebAssembly.RuntimeError} if it crashes
 */
export async function writePdfAgain(bytes: Uint8Array): Promise<Buffer | null> {
  const document = (await openPdfium()).open(bytes);
  return typeof document === "string" ? null : document.rewritten();
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles the module once for each process, which may start the engine several times. */
function loadEngineModule(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve("@hyzyla/pdfium/pdfium.wasm"));
  compiled ??= readFile(path).then((wasm) => WebAssembly.compile(wasm));
  return compiled;
}

/** Starts the engine, which takes about 40 ms the first time and a third of that later. */
export async function openPdfium(): Promise<Pdfium> {
  const module = await loadEngineModule();
  const memory = { isRefused: false };
  const options = {
    printErr() {},
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) {
      setMemoryLimit(imports, memory);
      void WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  };
  // The published types describe only a part of the module.
  const api = (await PDFiumModule(options)) as unknown as Api;
  api._FPDF_InitLibrary();
  const write = listenToWriter(api);
  return {
    open: (bytes) => openDocument(api, bytes, write),
    failureOf(error) {
      const isCrash =
        error instanceof WebAssembly.RuntimeError ||
        (error instanceof RangeError && /call stack/.test(error.message));
      if (!isCrash) return null;
      // Without memory the engine aborts, which looks like any other crash.
      return memory.isRefused || error instanceof NoPictureMemory ? "oversized" : "crashed";
    },
  };
}

/** Limits the memory of WebAssembly, which the limits of workers and of the JavaScript heap do not cover. */
function setMemoryLimit({ env }: WebAssembly.Imports, memory: { isRefused: boolean }): void {
  const grow = env!.emscripten_resize_heap as (size: number) => boolean;
  env!.emscripten_resize_heap = (size: number) => {
    const isGrown = size >>> 0 <= memoryLimit && grow(size);
    if (!isGrown) memory.isRefused = true;
    return isGrown;
  };
}

function openDocument(
  api: Api,
  bytes: Uint8Array,
  write: (save: () => void) => Buffer,
): PdfDocument | PdfFailure {
  const { malloc, free } = api.wasmExports;
  const address = malloc(bytes.length);
  api.HEAPU8.set(bytes, address);
  const load = () => api._FPDF_LoadMemDocument64(address, bytes.length, 0);
  const document = load();
  if (document === 0) {
    free(address);
    return passwordErrors.includes(api._FPDF_GetLastError()) ? "password" : "damaged";
  }
  const opened = (handle: number) => ({ document: handle, form: openForm(api, handle) });
  let displayed: Opened | undefined;
  let copy: Opened | undefined;
  return {
    pageCount: api._FPDF_GetPageCount(document),
    loadsPage(index) {
      const page = api._FPDF_LoadPage(document, index);
      if (page !== 0) api._FPDF_ClosePage(page);
      return page !== 0;
    },
    openPage(index) {
      displayed ??= opened(document);
      return openPage(api, displayed, () => (copy ??= opened(load())), index);
    },
    rewritten() {
      const writer = malloc(8);
      api.HEAP32.set([1, freeSlot], writer / 4);
      const copy = write(() => api._FPDF_SaveAsCopy(document, writer, removeSecurity));
      free(writer);
      return copy;
    },
    close() {
      for (const form of [displayed?.form, copy?.form])
        if (form) api._FPDFDOC_ExitFormFillEnvironment(form);
      if (copy) api._FPDF_CloseDocument(copy.document);
      api._FPDF_CloseDocument(document);
      free(address);
    },
  };
}

/** In bytes, more than the size of FPDF_FORMFILLINFO: a version and callbacks, which drawing doesn't need. */
const callbacksSize = 256;
const callbacksVersion = 2;

/** Opens the form that draws a document's fields, or returns null without one. */
function openForm(api: Api, document: number): number | null {
  if (api._FPDF_GetFormType(document) === 0) return null;
  const callbacks = api.wasmExports.malloc(callbacksSize);
  api.HEAPU8.fill(0, callbacks, callbacks + callbacksSize);
  api.HEAP32[callbacks / 4] = callbacksVersion;
  return api._FPDFDOC_InitFormFillEnvironment(document, callbacks) || null;
}

/**
 * The smallest module that imports a function (writer, address, length) and exports it again, since a function table
 * accepts only WebAssembly functions.
 */
const adapter = Buffer.from(
  "0061736d0100000001080160037f7f7f017f02070101650166000007050101660000",
  "hex",
);

/** Gives the engine a function for output, and returns one that collects the output of a `save`. */
function listenToWriter(api: Api): (save: () => void) => Buffer {
  let parts: Buffer[] = [];
  const receive = (_writer: number, address: number, length: number) => {
    parts.push(Buffer.from(api.HEAPU8.slice(address, address + length).buffer));
    return 1;
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(adapter), {
    e: { f: receive },
  });
  api.wasmExports.__indirect_function_table.set(freeSlot, exports.f);
  return (save) => {
    parts = [];
    save();
    return Buffer.concat(parts);
  };
}
