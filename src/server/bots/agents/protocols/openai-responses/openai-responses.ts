// The Responses API of OpenAI, which other servers implement too: the request of a run, and its reader.
import type { AgentProtocol, AgentRun } from '../../protocol.ts';
import {
  answerTo,
  groundedText,
  groundingText,
  historyOfTurn,
  isApproval,
  resultText,
} from '../shared/request-texts.ts';
import { type JsonObject, objectOf, objectsOf } from '../shared/values.ts';
import { withThinkTags } from '../think-tags-reader.ts';
import { createResponsesReader } from './reader.ts';

/**
 * The protocol. Nothing is stored at the provider (`store: false`), so each response contains the encrypted reasoning,
 * and the request after an interrupt sends it back. Models that do not reason can refuse `include`: `options:
 * {"include": null}`.
 */
export const openaiResponses: AgentProtocol = {
  name: 'openai-responses',
  request(run) {
    const { instructions } = run;
    const tools = run.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }));
    return {
      ...(run.model === undefined ? {} : { model: run.model }),
      ...(instructions === '' ? {} : { instructions }),
      input: inputOf(run),
      ...(tools.length === 0 ? {} : { tools }),
      include: ['reasoning.encrypted_content'],
      max_output_tokens: run.maxOutputTokens,
      store: false,
      stream: true,
    };
  },
  createReader: (run) => withThinkTags(createResponsesReader(run, itemsOfTurn(run)), run.isThinking),
};

/** The conversation, and the items of the model in this turn. */
function inputOf(run: AgentRun): JsonObject[] {
  const items = itemsOfTurn(run);
  const history = historyOfTurn(run, items.length > 0);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  const messages = history.map(({ role, text }, index) => ({
    role,
    content: index === last ? groundedText(grounding, text) : text,
  }));
  return [...messages, ...items];
}

/** The items of the earlier runs of this turn, with the answers to what they ask. */
function itemsOfTurn({ state, resume }: AgentRun): JsonObject[] {
  if (resume.length === 0) return [];
  const items = objectsOf(objectOf(state)?.items);
  const answered = new Set(
    items.flatMap(({ type, call_id, approval_request_id }) => {
      if (type === 'function_call_output') return [call_id];
      return type === 'mcp_approval_response' ? [approval_request_id] : [];
    }),
  );
  const answers = items.flatMap((item): JsonObject[] => {
    if (item.type === 'function_call' && !answered.has(item.call_id)) {
      const output = resultText(answerTo(item.call_id, resume));
      return [{ type: 'function_call_output', call_id: item.call_id, output }];
    }
    if (item.type !== 'mcp_approval_request' || answered.has(item.id)) return [];
    const answer = resume.find(({ interruptId }) => interruptId === item.id);
    return [{ type: 'mcp_approval_response', approval_request_id: item.id, approve: isApproval(answer) }];
  });
  return [...items, ...answers];
}
