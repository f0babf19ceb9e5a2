// A stranger's web server: serves the pages a test gives it, from another origin than the platform.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  url: string;
  /** Serves `html` under `path` with these headers; gives the whole address. */
  page(path: string, html: string, headers: Record<string, string>): string;
  close(): Promise<void>;
}

export async function startSite(): Promise<Site> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    // A browser asks for an icon by itself; its absence is not the page's noise.
    const missing = request.url === '/favicon.ico' ? 204 : 404;
    response.writeHead(page ? 200 : missing, {
      'content-type': 'text/html; charset=utf-8',
      ...page?.headers,
    });
    response.end(page?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    page(path, html, headers) {
      pages.set(path, { html, headers });
      return url + path;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
