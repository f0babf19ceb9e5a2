// AG-UI 1.0 (https://docs.ag-ui.com): the request of a run, and its reader.
import type { AgentProtocol, AgentRun } from '../../protocol.ts';
import { historyOfTurn, passageTitle } from '../shared/request-texts.ts';
import type { JsonObject } from '../shared/values.ts';
import { createAgUiReader } from './reader.ts';
import { earlierMessages, type SavedRun, savedRunOf } from './saved-run.ts';

/**
 * The protocol. `state` of the agent is sent back with each run of the conversation. `instructions` are sent as a system
 * message if there are any; many agents have their own.
 */
export const agUi: AgentProtocol = {
  name: 'ag-ui',
  request(run) {
    const kept = savedRunOf(run.state);
    return {
      threadId: run.conversationId,
      runId: run.runId,
      protocolVersion: '1.0',
      ...(kept.state === undefined ? { state: {} } : { state: kept.state }),
      messages: messagesOf(run, kept),
      tools: run.tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: inputSchema,
      })),
      context: [
        ...run.context.map(({ description, value }) => ({ description, value })),
        ...run.knowledge.map(({ number, title, text }) => ({
          description: passageTitle(number, title),
          value: text,
        })),
      ],
      forwardedProps: {},
      ...(run.resume.length > 0 && kept.interrupts.length > 0 ? { resume: resumeOf(run, kept) } : {}),
    };
  },
  createReader: createAgUiReader,
};

function messagesOf(run: AgentRun, kept: SavedRun): JsonObject[] {
  const messages: JsonObject[] = historyOfTurn(run, kept.messages.length > 0).map(({ id, role, text }) => ({
    id,
    role,
    content: text,
  }));
  if (run.instructions !== '')
    messages.unshift({ id: 'instructions', role: 'system', content: run.instructions });
  return [...messages, ...earlierMessages(run, kept)];
}

/** The answers to all interrupts of the previous run: an agent cannot go on with some of them. */
const resumeOf = ({ resume }: AgentRun, kept: SavedRun): JsonObject[] =>
  kept.interrupts.map((interruptId) => {
    const answer = resume.find((one) => one.interruptId === interruptId);
    return {
      interruptId,
      status: answer?.status ?? 'cancelled',
      ...(answer?.payload === undefined ? {} : { payload: answer.payload }),
    };
  });
