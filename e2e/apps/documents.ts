// Fixtures of tests of apps in all browsers, without Playwright: blocks with apps, and a server of another origin with the library for apps.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const fallback = 'Bern: 21 degrees';

/** A piece of an answer of the scripted bot. */
export const appOf = (html: string, more: object = {}, text = fallback) => ({
  block: [
    'mcp-apps',
    { html: `<!doctype html><html lang="en"><title>A</title><body>${html}</body>`, ...more },
    text,
  ],
});

/**
 * An app without a library that says what it has received, one JSON each line. `script` runs afterwards and has `say(message)` and
 * `request(method, params)`; `begin()` starts the app.
 */
export const plainApp = (script: string) => `<pre id="log"></pre><script>
  const log = (text) => { document.getElementById('log').textContent += text + '\\n' };
  const say = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let count = 0;
  const request = (method, params = {}) => new Promise((resolve) => {
    const id = ++count;
    addEventListener('message', ({ data }) => { if (data.id === id) resolve(data) });
    say({ id, method, params });
  });
  addEventListener('message', ({ data }) => log(JSON.stringify(data)));
  const begin = async () => {
    const answer = await request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'A', version: '1' }, appCapabilities: {} });
    say({ method: 'ui/notifications/initialized' });
    return answer;
  };
  ${script}
</script>`;

export interface OtherOrigin {
  url: string;
  /** The paths that were requested, with their query. */
  requests: string[];
  close(): Promise<void>;
}

/** Serves the library for apps (`/app.js`), and answers everything else with a small document; writes down what is requested. */
export async function startOtherOrigin(): Promise<OtherOrigin> {
  const library = await readFile('node_modules/@modelcontextprotocol/ext-apps/dist/src/app-with-deps.js');
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const isLibrary = request.url === '/app.js';
    const type = isLibrary ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' });
    response.end(isLibrary ? library : '<!doctype html><title>Other</title><p>Other origin</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
