// Loads every bundle as the chat would, and reports why one cannot be loaded. It does not start the chat.
import type { Finding } from '../../protocol/page-api/page-api.ts';
import type { Policies } from './content-policies.ts';
import { finding } from './findings.ts';
import { isNoResponse } from './interpret.ts';
import { request, timeoutMs } from './server-checks.ts';

/** The files of all other bundles; the build inserts them here. */
declare const __CHUNKS__: readonly string[];

/** The part of the Markdown bundle that is checked. */
interface MarkdownBundle {
  strings: object;
  createMarkdownView(element: Element, options: object): { dispose(): void };
}

/** @param assets the folder of the files. */
export async function checkBundles(assets: string, policies: Policies): Promise<Finding[]> {
  const files = __CHUNKS__;
  const results = await Promise.all(files.map((file) => checkBundle(new URL(file, assets).href, policies)));
  const rich = files.find((file) => file.startsWith('markdown-'));
  const findings = results.flat();
  // A policy that blocks one file blocks all of them, so it is reported once.
  const first = findings.find(({ code }) => code === 'csp_script');
  if (first) return [first];
  return rich && findings.length === 0 ? checkTrustedTypes(new URL(rich, assets).href, policies) : findings;
}

async function checkBundle(address: string, policies: Policies): Promise<Finding[]> {
  try {
    await load(address);
    return [];
  } catch (error) {
    const { directive } = (await policies.refusal('script-src', address)) ?? {};
    if (directive) return [finding('csp_script', `${directive} does not allow ${address}.`, String(error))];
    const response = await request(address);
    const description = isNoResponse(response)
      ? 'cannot be loaded'
      : response.status === 200 && /javascript/.test(response.type)
        ? 'is there, but is cut or broken'
        : `answers ${response.status} ${response.type}`;
    return [
      finding(
        'chunk_failed',
        `${address} ${description}.`,
        isNoResponse(response) ? response.reason : String(error),
      ),
    ];
  }
}

/** Creates the Trusted Types policy through the Markdown bundle, because it can be created only once. */
async function checkTrustedTypes(address: string, policies: Policies): Promise<Finding[]> {
  try {
    const { createMarkdownView, strings } = (await load(address)) as MarkdownBundle;
    createMarkdownView(document.createElement('div'), {
      images: 'click',
      imageOrigins: [],
      strings,
    }).dispose();
    return [];
  } catch (error) {
    const { directive } = (await policies.refusal('trusted-types')) ?? {};
    if (!directive) throw error;
    return [finding('csp_trusted_types', `${directive} does not allow platform-webchat.`, String(error))];
  }
}

/** Loads a bundle. Rejects also if it does not load in time: a request that is never answered has no other end. */
const load = (address: string): Promise<unknown> =>
  Promise.race([
    import(/* @vite-ignore */ address),
    new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`Not loaded within ${timeoutMs / 1_000} seconds.`)), timeoutMs);
    }),
  ]);
