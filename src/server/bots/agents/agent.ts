// An agent as its operator has configured it, and the address to which its requests go.
import type { AgentShown, ProtocolName } from '../../../protocol/admin.ts';
import type { AgentKnowledge } from './knowledge/search.ts';
import type { AgentProtocol } from './protocol.ts';
import { agUi } from './protocols/ag-ui/ag-ui.ts';
import { aiSdk } from './protocols/ai-sdk.ts';
import { openaiChat } from './protocols/openai-chat.ts';
import { openaiResponses } from './protocols/openai-responses.ts';

export interface Agent {
  url: string;
  protocol: ProtocolName;
  /** Sent as `Authorization: Bearer`. */
  key: string | undefined;
  /** Further headers of each request, which may contain secrets. */
  headers: Record<string, string>;
  /** Required for the protocols of OpenAI. */
  model: string | undefined;
  instructions: string;
  /** Merged into the body of each request last; null removes a field. */
  options: Record<string, unknown>;
  show: readonly AgentShown[];
  /** The knowledge bases from which it answers; none by default. */
  knowledge?: AgentKnowledge | undefined;
  /** Seconds without a byte after which a run fails; by default those of the server. */
  timeout?: number | undefined;
}

/** The protocols that this version has. */
const protocols: Record<ProtocolName, AgentProtocol> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'ag-ui': agUi,
  'ai-sdk': aiSdk,
};

export const protocolOf = (name: ProtocolName): AgentProtocol => protocols[name];

/** The default instructions, used if the operator sets none. Agents of the other protocols have their own. */
export const defaultInstructionsOf = (protocol: ProtocolName): string =>
  needsModel(protocol) ? modelInstructions : '';

const modelInstructions =
  'You answer visitors of a web page in a chat window. Be brief. Answer in the language of the visitor. Use Markdown.';

/** The protocol that the path of an address implies; undefined if it can be any. */
export function protocolOfAddress(url: string): ProtocolName | undefined {
  const { pathname } = new URL(url);
  if (/\/(?:v1|chat\/completions)\/?$/.test(pathname)) return 'openai-chat';
  return /\/responses\/?$/.test(pathname) ? 'openai-responses' : undefined;
}

const endpoints: Partial<Record<ProtocolName, string>> = {
  'openai-chat': '/chat/completions',
  'openai-responses': '/responses',
};

/** The address of the requests: for the protocols of OpenAI, the base address with its last part. */
export function requestAddress({ url, protocol }: Pick<Agent, 'url' | 'protocol'>): string {
  const endpoint = endpoints[protocol];
  const address = new URL(url);
  const path = address.pathname.replace(/\/+$/, '');
  if (endpoint === undefined || path.endsWith(endpoint)) return url;
  address.pathname = path + endpoint;
  return address.href;
}

/** Whether the protocol needs the name of a model. */
export const needsModel = (protocol: ProtocolName): boolean => endpoints[protocol] !== undefined;
