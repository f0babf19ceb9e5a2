// The request of a chat completion.
import type { AgentRun, Resumed } from '../protocol.ts';
import { answerTo, groundedText, groundingText, historyOfTurn } from './shared/request-texts.ts';
import { idOf, type JsonObject, objectsOf } from './shared/values.ts';

/** Returns the body. Texts of the visitor and found passages are never part of the instructions. */
export function openaiChatRequest(run: AgentRun): Record<string, unknown> {
  const { model, instructions, tools, maxOutputTokens } = run;
  const turn = messagesOfTurn(run);
  return {
    model,
    messages: [
      ...(instructions === '' ? [] : [{ role: 'system', content: instructions }]),
      ...conversationOf(run, turn.length > 0),
      ...turn,
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: 'function',
            function: { name, description, parameters: inputSchema },
          })),
        }),
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: maxOutputTokens,
  };
}

/** The conversation, with the data before the message that the run answers. */
function conversationOf(run: AgentRun, isContinued: boolean): object[] {
  const history = historyOfTurn(run, isContinued);
  const last = history.findLastIndex(({ role }) => role === 'user');
  const grounding = groundingText(run);
  return history.map(({ role, text }, index) => ({
    role,
    content: index === last ? groundedText(grounding, text) : text,
  }));
}

/** The messages of the model in this turn, with a result for each of its calls, because servers require one. */
export function messagesOfTurn({ state, resume }: AgentRun): JsonObject[] {
  if (resume.length === 0) return [];
  const messages = objectsOf(state);
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return messages.flatMap((message) => [
    message,
    ...callIdsOf(message)
      .filter((id) => !answered.has(id))
      .map((id) => toolMessage(id, resume)),
  ]);
}

/** The ids of all calls of some messages. */
export const idsOfCalls = (messages: readonly JsonObject[]): ReadonlySet<string> =>
  new Set(messages.flatMap(callIdsOf));

const callIdsOf = ({ tool_calls }: JsonObject): string[] =>
  objectsOf(tool_calls).flatMap(({ id }) => idOf(id) ?? []);

function toolMessage(id: string, resume: readonly Resumed[]): JsonObject {
  const answer = answerTo(id, resume);
  const content = answer?.status === 'resolved' ? (answer.payload ?? null) : { error: 'cancelled' };
  return {
    role: 'tool',
    tool_call_id: id,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  };
}
