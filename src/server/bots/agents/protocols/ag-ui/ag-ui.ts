// AG-UI 1.0 (https://docs.ag-ui.com): the request of a run, and its reader.
import type { AgentProtocol, AgentRun } from '../../protocol.ts';
import { historyOfTurn, passageTitle } from '../shared/request-texts.ts';
import type { JsonObject } from '../shared/values.ts';
import { createAgUiReader } from './reader.ts';
import { answersOfRun } from './resume.ts';
import { earlierMessages, idForAgent, type SavedRun, savedRunOf, threadIdOf } from './saved-run.ts';

/**
 * The protocol. `state` of the agent is sent back with each run of the conversation. `instructions` are sent as a system
 * message if there are any; many agents have their own.
 */
export const agUi: AgentProtocol = {
  name: 'ag-ui',
  request(run) {
    const savedRun = savedRunOf(run.state);
    const { resume, command } = answersOfRun(run, savedRun);
    return {
      threadId: threadIdOf(run),
      runId: run.runId,
      protocolVersion: '1.0',
      ...(savedRun.state === undefined ? { state: {} } : { state: savedRun.state }),
      messages: messagesOf(run, savedRun),
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
      forwardedProps: command ? { command } : {},
      ...(resume ? { resume } : {}),
    };
  },
  createReader: createAgUiReader,
  // The runtime of CopilotKit.
  isSilentWhenBusy: true,
  cancel: stopOf,
};

/** The runtime of CopilotKit has an address that stops a run; AG-UI itself has none. */
function stopOf(url: string, { threadId, runId }: JsonObject): { url: string; body: JsonObject } | undefined {
  const address = new URL(url);
  const path = /^(.*\/agent\/[^/]+)\/run\/?$/.exec(address.pathname)?.[1];
  if (path === undefined || typeof threadId !== 'string') return undefined;
  address.pathname = `${path}/stop/${encodeURIComponent(threadId)}`;
  return { url: address.href, body: { runId } };
}

function messagesOf(run: AgentRun, savedRun: SavedRun): JsonObject[] {
  const knownAnswers = savedRun.answers ?? [];
  const used = new Set<string>();
  const messages: JsonObject[] = historyOfTurn(run, savedRun.messages.length > 0).map((message) => {
    const { id: own, role, text } = message;
    const id = idForAgent(message, knownAnswers);
    const isFree = !used.has(id);
    used.add(id);
    return { id: isFree ? id : own, role, content: text };
  });
  if (run.instructions !== '')
    messages.unshift({ id: 'instructions', role: 'system', content: run.instructions });
  return [...messages, ...earlierMessages(run, savedRun)];
}
