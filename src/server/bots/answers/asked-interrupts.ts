// The interrupts at the end of an answer: validated, and with the parts that visitors see of them.
import * as v from 'valibot';
import type { PageClient } from '../../../protocol/interrupts.ts';
import { limits } from '../../../protocol/limits.ts';
import { type Part, type PartOf, settleParts } from '../../../protocol/parts.ts';
import { interruptSchemas } from '../../../protocol/schemas/interrupts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { wellFormedValue } from '../../api/message-text.ts';
import { sizeOf } from '../../api/part-list.ts';
import { assertSize, explain } from '../../api/validation.ts';
import type { AskedInterrupt, AskedInterrupts } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { findParticipant, onlyParticipant } from '../../storage/chat/participants.ts';
import type { Tx } from '../../storage/database.ts';
import { createId } from '../../storage/ids.ts';

const { interrupts: most } = limits;

/** The parts of an answer that has ended, and what the server keeps of its interrupts. */
export interface EndedParts {
  parts: Part[];
  asked: AskedInterrupt[];
}

/**
 * Returns the parts of an answer that ends with these interrupts, in their order. `at`: the number of characters of its text; `now`:
 * milliseconds since 1970. Throws InvalidPayload, and PayloadTooLarge for what is longer than its limit: nothing of what a
 * visitor agrees to is cut. `client`: the page whose tools are called.
 */
export function endParts(
  parts: readonly Part[],
  interrupts: readonly NewInterrupt[],
  at: number,
  now: number,
  client?: PageClient,
): EndedParts {
  const waiting = new Map<string, PartOf<'interrupt'>>();
  const asked: AskedInterrupt[] = [];
  const added = parse(interrupts).map((interrupt): Part => {
    const part = partOf(parts, interrupt, { at, now, client });
    if (part.toolId !== undefined) {
      if (waiting.has(part.toolId)) throw invalid(`The tool ${part.toolId} is named twice.`);
      waiting.set(part.toolId, part);
    }
    if (interrupt.state !== undefined) assertSize('interrupts: state', interrupt.state, most.stateBytes);
    const state = interrupt.state === undefined ? null : (JSON.stringify(interrupt.state) ?? null);
    asked.push({ id: part.id, state, expiresAt: Date.parse(part.expiresAt) });
    return part;
  });
  const requested = parts.map(
    (part): Part => (waiting.has(part.id) ? ({ ...part, state: 'approval-requested' } as Part) : part),
  );
  const ended = settleParts([...requested, ...added], new Date(now).toISOString());
  if (added.length > 0) assertFits(ended);
  return { parts: ended, asked };
}

function assertFits(parts: readonly Part[]): void {
  if (parts.length > limits.parts.parts)
    throw new ApiError('PayloadTooLarge', `interrupts: A message is limited to ${limits.parts.parts} parts.`);
  if (parts.reduce((sum, part) => sum + sizeOf(part), 0) > limits.parts.bytes)
    throw new ApiError(
      'PayloadTooLarge',
      `interrupts: The parts of a message, and the answers to its interrupts, are limited to ${limits.parts.bytes} bytes.`,
    );
}

function parse(interrupts: readonly NewInterrupt[]): NewInterrupt[] {
  const result = v.safeParse(interruptSchemas.newInterrupts, interrupts);
  if (result.success) {
    // The state is for the bot alone, which gets back what it has given.
    return result.output.map(({ state, ...shown }) => ({
      ...wellFormedValue(shown),
      ...(state === undefined ? {} : { state }),
    }));
  }
  const [issue] = result.issues;
  throw invalid(explain(issue), v.getDotPath(issue));
}

function partOf(
  parts: readonly Part[],
  interrupt: NewInterrupt,
  { at, now, client }: { at: number; now: number; client: PageClient | undefined },
): PartOf<'interrupt'> {
  const { reason, message, toolId, responseSchema } = interrupt;
  const tool = parts.find((part): part is PartOf<'tool'> => part.type === 'tool' && part.id === toolId);
  if (toolId !== undefined && !tool) throw invalid(`The answer has no tool ${toolId}.`);
  if (tool && /^output|^cancelled/.test(tool.state)) throw invalid(`The tool ${toolId} has ended.`);
  const { toolName = tool?.toolName, input = inputOf(tool) } = interrupt;
  if (input !== undefined) assertSize('interrupts: input', input, most.inputBytes);
  if (responseSchema !== undefined)
    assertSize('interrupts: responseSchema', responseSchema, most.schemaBytes);
  const called = reason === 'client_tool' ? calledTool(interrupt, toolName, client) : {};
  const { expiresIn = called.readOnly ? limits.client.waitTime : most.defaultTime } = interrupt;
  return {
    id: createId('int'),
    at,
    type: 'interrupt',
    reason,
    message,
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(input === undefined ? {} : { input }),
    ...(responseSchema === undefined ? {} : { responseSchema }),
    ...called,
    expiresAt: new Date(now + expiresIn).toISOString(),
    state: 'open',
  };
}

/** The fields of a call of a tool of the page. Throws InvalidPayload for a tool that the page of the event does not have. */
function calledTool(
  { responseSchema, clientId, readOnly }: NewInterrupt,
  toolName: string | undefined,
  client: PageClient | undefined,
): Pick<PartOf<'interrupt'>, 'clientId' | 'readOnly'> {
  if (toolName === undefined) throw invalid('Expected the name of a tool of the page.', 'toolName');
  if (responseSchema !== undefined) throw invalid('A tool of the page has no form.', 'responseSchema');
  const tool = client?.tools?.find(({ name }) => name === toolName);
  if (client && !tool) throw invalid(`The page has no tool ${toolName}.`, 'toolName');
  const id = clientId ?? client?.id;
  const isReadOnly = readOnly ?? tool?.annotations?.readOnlyHint;
  return { ...(id === undefined ? {} : { clientId: id }), ...(isReadOnly ? { readOnly: true } : {}) };
}

/** The input of a tool as its part has it. Throws if the part has only its beginning. */
function inputOf(tool: PartOf<'tool'> | undefined): Record<string, unknown> | undefined {
  const { input, truncated } = tool ?? {};
  if (input === undefined) return undefined;
  if (truncated || typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalid('Expected an object, because that of the tool is not shown whole.', 'input');
  return input as Record<string, unknown>;
}

const invalid = (message: string, path?: string | null) =>
  new ApiError('InvalidPayload', `interrupts${path ? `.${path}` : ''}: ${message}`);

/**
 * Returns the interrupts of a message that a bot sends through the Runtime API, where no event names the user, with the user who
 * can answer; nothing if there are none. `userId`: by default, the only
 * participant: nobody should approve what another participant has asked for. Throws InvalidPayload, or ResourceNotFound.
 */
export async function interruptsFor(
  tx: Tx,
  conversation: ConversationRow,
  asked: readonly AskedInterrupt[],
  userId: string | undefined,
): Promise<{ interrupts?: AskedInterrupts }> {
  if (asked.length === 0) return {};
  if (userId === undefined) {
    const only = await onlyParticipant(tx, conversation.id);
    if (only === undefined)
      throw new ApiError('InvalidPayload', 'userId: Required unless the conversation has one participant.');
    return { interrupts: { userId: only, asked } };
  }
  const user = await findParticipant(tx, conversation, userId);
  if (!user) throw new ApiError('ResourceNotFound', 'The user is not a participant of the conversation.');
  return { interrupts: { userId: user.id, asked } };
}
