// Loads every file of the chat as the chat itself would, and says why one does not come. Nothing is started by it.
import type { Finding } from '../../protocol/platform.ts';
import type { Policies } from './content-policies.ts';
import { find } from './findings.ts';
import { isSilence } from './interpret.ts';
import { ask } from './server-checks.ts';

/** The files of all other bundles; the build puts them here. */
declare const __CHUNKS__: readonly string[];

/** What is needed of the Markdown chunk. */
interface Rich {
  words: object;
  createRichText(element: Element, options: object): { dispose(): void };
}

/** @param assets the folder of the files. */
export async function checkChunks(assets: string, policies: Policies): Promise<Finding[]> {
  const files = __CHUNKS__;
  const results = await Promise.all(files.map((file) => checkChunk(new URL(file, assets).href, policies)));
  const rich = files.find((file) => file.startsWith('markdown-'));
  const found = results.flat();
  // A policy that refuses one file refuses all: once is enough.
  const first = found.find(({ code }) => code === 'csp_script');
  if (first) return [first];
  return rich && found.length === 0 ? checkTrustedTypes(new URL(rich, assets).href, policies) : found;
}

async function checkChunk(address: string, policies: Policies): Promise<Finding[]> {
  try {
    await load(address);
    return [];
  } catch (error) {
    const { directive } = (await policies.refusal('script-src', address)) ?? {};
    if (directive) return [find('csp_script', `${directive} does not allow ${address}.`, String(error))];
    const answer = await ask(address);
    const said = isSilence(answer)
      ? 'cannot be loaded'
      : answer.status === 200 && /javascript/.test(answer.type)
        ? 'is there, but is cut or broken'
        : `answers ${answer.status} ${answer.type}`;
    return [find('chunk_failed', `${address} ${said}.`, isSilence(answer) ? answer.reason : String(error))];
  }
}

/** Makes the policy that Markdown needs, in the way that Markdown would: it may be made only once. */
async function checkTrustedTypes(address: string, policies: Policies): Promise<Finding[]> {
  try {
    const { createRichText, words } = (await load(address)) as Rich;
    createRichText(document.createElement('div'), { images: 'click', imageOrigins: [], words }).dispose();
    return [];
  } catch (error) {
    const { directive } = (await policies.refusal('trusted-types')) ?? {};
    if (!directive) throw error;
    return [find('csp_trusted_types', `${directive} does not allow platform-webchat.`, String(error))];
  }
}

const load = (address: string): Promise<unknown> => import(/* @vite-ignore */ address);
