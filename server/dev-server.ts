import { createServer } from "node:http";
import { createServer as createViteServer, isRunnableDevEnvironment } from "vite";
import type { Config } from "../app/platform/config.server.ts";
import type * as App from "./app.ts";

/**
 * Serves the product from its sources. Vite serves modules and styles. Every other request goes to the newest
 * version of `server/app.ts`, which is reloaded when one of its files changes.
 */
export async function startDevServer(
  config: Config,
  databaseUrl: string,
): Promise<{ notes: string[]; close(): Promise<void> }> {
  const http = createServer();
  const vite = await createViteServer({
    appType: "custom",
    server: { middlewareMode: true, hmr: { server: http } },
  });
  const { ssr } = vite.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr))
    throw new Error("Vite's server environment cannot run code.");

  let loaded: typeof App | null = null;
  let product: App.Product | null = null;
  async function loadNewest(): Promise<App.Product> {
    const app: typeof App = await ssr_import();
    if (app !== loaded || !product) {
      const previous = product;
      product = null;
      await previous?.close();
      product = await app.startProduct(config, databaseUrl, { listen: false });
      loaded = app;
    }
    return product;
  }
  // One at a time, because two products would use the same ports.
  let queue: Promise<unknown> = Promise.resolve();
  function newestProduct(): Promise<App.Product> {
    const newest = queue.then(loadNewest, loadNewest);
    queue = newest;
    return newest;
  }
  const ssr_import = () =>
    (ssr as { runner: { import(path: string): Promise<typeof App> } }).runner.import(
      "/server/app.ts",
    );

  http.on("request", (request, response) => {
    vite.middlewares(request, response, async () => {
      try {
        (await newestProduct()).server.emit("request", request, response);
      } catch (error) {
        if (error instanceof Error) vite.ssrFixStacktrace(error);
        console.error(error);
        response.statusCode = 500;
        response.end(String(error));
      }
    });
  });
  const { notes } = await newestProduct();
  await new Promise<void>((resolve) => http.listen(config.port, config.host, resolve));
  return {
    notes,
    async close() {
      http.closeAllConnections();
      http.close();
      await product?.close();
      await vite.close();
    },
  };
}
