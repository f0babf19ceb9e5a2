// UI message streams of the AI SDK (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol): the request of a run, and its reader.
import type { AgentProtocol, AgentRun } from '../../protocol.ts';
import { groundingText, historyOfTurn } from '../shared/request-texts.ts';
import type { JsonObject } from '../shared/values.ts';
import { withThinkTags } from '../think-tags-reader.ts';
import { keptMessageOf, respondedMessage } from './message.ts';
import { createAiSdkReader } from './reader.ts';

/**
 * The protocol: what `useChat` sends. `system` and `tools` are further fields of the body, which a route can pass to
 * `streamText`; passages and the context of the page are in the message of the user, since every route reads that.
 */
export const aiSdk: AgentProtocol = {
  name: 'ai-sdk',
  request(run) {
    const kept = keptMessageOf(run);
    const tools = run.tools.map(({ name, description, inputSchema }) => [
      name,
      { description, parameters: inputSchema },
    ]);
    return {
      id: run.conversationId,
      messages: [...messagesOf(run, kept !== undefined), ...(kept ? [respondedMessage(kept, run)] : [])],
      trigger: 'submit-message',
      ...(kept ? { messageId: kept.id } : {}),
      ...(run.instructions === '' ? {} : { system: run.instructions }),
      ...(tools.length === 0 ? {} : { tools: Object.fromEntries(tools) }),
    };
  },
  createReader: (run) => withThinkTags(createAiSdkReader(run), run.isThinking),
};

function messagesOf(run: AgentRun, isContinued: boolean): JsonObject[] {
  const history = historyOfTurn(run, isContinued);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  return history.map(({ id, role, text }, index) => ({
    id,
    role,
    parts: [
      ...(index === last && grounding !== '' ? [{ type: 'text', text: grounding }] : []),
      { type: 'text', text },
    ],
  }));
}
