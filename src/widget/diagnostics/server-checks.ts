// Sends the chat's requests to the server without creating anything: reads, and one request with an invalid body.
// interpret.ts interprets the responses.
import { getConversation, getOrCreateUser, getUser, getWebchat } from '../../client/operations/chat.ts';
import { isErrorBody } from '../../protocol/error.ts';
import type { Finding } from '../../protocol/page-api/page-api.ts';
import type { StoredSession } from '../launcher-chat-interface.ts';
import { addressOf } from './address.ts';
import type { Policies } from './content-policies.ts';
import { finding } from './findings.ts';
import {
  interpretClock,
  interpretResponse,
  interpretSilence,
  isNoResponse,
  type NoResponse,
  readKey,
  reasonOf,
  type ServerResponse,
} from './interpret.ts';

/** Milliseconds without a response after which the server is considered unreachable. */
export const timeoutMs = 10_000;

export interface Server {
  findings: Finding[];
  /** The server responds, and this page may read the response. */
  isReached: boolean;
}

/** Checks whether the chat exists and allows this page. */
export async function checkServer(chatUrl: string, policies: Policies): Promise<Server> {
  const first = await request(addressOf(chatUrl, getWebchat));
  if (isNoResponse(first)) return { findings: [await explain(first, chatUrl, policies)], isReached: false };
  let wrong = interpretResponse(first, location.origin);
  // A plain Chat API server does not have this address, but it has the hello endpoint.
  if (first.status === 404 && isErrorBody(first.json)) {
    const hello = await request(`${chatUrl}/hello`);
    if (!isNoResponse(hello) && hello.status < 400) wrong = undefined;
  }
  const findings = [wrong, interpretClock(first.date, Date.now())].filter((each) => each !== undefined);
  if (wrong) return { findings, isReached: false };
  if (new URL(chatUrl).origin !== location.origin) {
    // The custom header causes a preflight request; the server does not read its value here.
    const keyed = await request(addressOf(chatUrl, getWebchat), { headers: { 'x-user-key': 'doctor' } });
    if (isNoResponse(keyed)) {
      const message = `${chatUrl} does not take requests of ${location.origin} that carry x-user-key.`;
      findings.push(finding('preflight_refused', message, keyed.reason));
    }
  }
  return { findings, isReached: findings.every(({ severity }) => severity !== 'error') };
}

async function explain(silence: NoResponse, chatUrl: string, policies: Policies): Promise<Finding> {
  const directive = (await policies.refusal('connect-src', chatUrl))?.directive;
  const surroundings = {
    page: location.href,
    isOnline: navigator.onLine,
    directive,
    isThere: false,
    isChat: false,
  };
  // If the browser itself blocks the request, other requests would be blocked too.
  if (!directive && navigator.onLine) {
    // Every page may load the script; all other responses are hidden (Cross-Origin-Resource-Policy).
    const script = await request(`${chatUrl}/webchat.js`);
    surroundings.isChat = !isNoResponse(script) && script.status === 200;
    surroundings.isThere =
      surroundings.isChat || !isNoResponse(await request(silence.address, { mode: 'no-cors' }));
  }
  return interpretSilence(silence, surroundings);
}

/** Checks whether the server knows the stored visitor and accepts the key of the page. */
export async function checkVisitor(
  chatUrl: string,
  pageKey: string | undefined,
  stored: StoredSession,
): Promise<{ findings: Finding[]; isKnown: boolean }> {
  if (pageKey && pageKey !== stored.userKey) {
    return { findings: list(await tryKey(chatUrl, pageKey)), isKnown: false };
  }
  const { userKey, conversationId } = stored;
  if (!userKey) return { findings: [], isKnown: false };
  const me = await request(addressOf(chatUrl, getUser), withKey(userKey));
  if (isNoResponse(me)) return { findings: [], isKnown: false };
  if (me.status === 401) {
    const notFound = () =>
      finding('visitor_gone', `${chatUrl} refuses the stored user key (401).`, readKey(userKey, Date.now()));
    return { findings: [pageKey ? refused(chatUrl, pageKey, me) : notFound()], isKnown: false };
  }
  if (!conversationId || me.status !== 200)
    return { findings: list(interpretResponse(me, location.origin)), isKnown: false };
  const address = addressOf(chatUrl, getConversation, conversationId);
  const conversation = await request(address, withKey(userKey));
  if (isNoResponse(conversation)) return { findings: [], isKnown: false };
  const { status } = conversation;
  if (status === 403 || status === 404) {
    return { findings: [finding('conversation_gone', `${address} answers ${status}.`)], isKnown: false };
  }
  return { findings: list(interpretResponse(conversation, location.origin)), isKnown: status === 200 };
}

const list = (result: Finding | undefined): Finding[] => (result ? [result] : []);
const withKey = (key: string): RequestInit => ({ headers: { 'x-user-key': key } });

/** `answer`: of the server, which says why it refuses a key with a right signature, and of no other key. */
function refused(chatUrl: string, key: string, response?: ServerResponse): Finding {
  const message = `${chatUrl} refuses the user key of the page (401).`;
  const reason = response && reasonOf(response);
  return reason
    ? finding('key_wrong', message, reason)
    : finding('key_refused', message, readKey(key, Date.now()));
}

/**
 * Checks a key without creating its user: the request has an invalid body, so an accepted key leads to 400.
 */
async function tryKey(chatUrl: string, key: string): Promise<Finding | undefined> {
  // The browser would not send it as a header.
  if (!/^[!-~]+$/.test(key)) return refused(chatUrl, key);
  const headers = { 'x-user-key': key, 'content-type': 'application/json' };
  const response = await request(addressOf(chatUrl, getOrCreateUser), { method: 'POST', headers, body: '{' });
  if (isNoResponse(response)) {
    return finding('preflight_refused', `${response.address} does not take POST requests.`, response.reason);
  }
  if (response.status === 401) return refused(chatUrl, key, response);
  // A key whose user cannot be created is accepted there, and refused here with the reason.
  const me = await request(addressOf(chatUrl, getUser), withKey(key));
  if (!isNoResponse(me) && me.status === 401 && /not accepted/.test(reasonOf(me) ?? ''))
    return refused(chatUrl, key, me);
  return response.status === 429 || response.status >= 500
    ? interpretResponse(response, location.origin)
    : undefined;
}

/** One request. Never rejects. */
export async function request(address: string, init: RequestInit = {}): Promise<ServerResponse | NoResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(address, { credentials: 'omit', cache: 'no-store', signal, ...init });
    const { headers, status } = response;
    const text = await response.text();
    const type = (headers.get('content-type') ?? '').replace(/\s*;.*/, '');
    const date = Date.parse(headers.get('date') ?? '');
    return { address, status, type, json: parse(text), retryAfter: headers.get('retry-after'), date };
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return { address, reason: isLate ? `No answer within ${timeoutMs / 1_000} seconds.` : String(error) };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
