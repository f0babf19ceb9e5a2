// Tools of the page in runs of agents: the tools that an agent can call, and the result of a call that it gets.
import type { PageClient, SettledInterrupt } from '../../../protocol/interrupts.ts';
import type { AskedInterrupt, Resumed } from './protocol.ts';
import type { AskedTool } from './tools.ts';

/**
 * The maximum number of runs in one turn that call the page. After them the agent gets no tools of the page and must
 * answer.
 */
const maxRounds = 8;

interface Offer {
  tools: AskedTool[];
  /** The names of tools that the agent already has. */
  refused: string[];
}

/**
 * The tools of the page that the agent can call. `reserved`: the names of tools of the server, which tools of a page
 * cannot have. `round`: the number of calls of the page in this turn.
 */
export function pageToolsOf(
  client: PageClient | undefined,
  reserved: readonly string[],
  round: number,
): Offer {
  const offeredTools = client?.tools ?? [];
  const refused = offeredTools.filter(({ name }) => reserved.includes(name)).map(({ name }) => name);
  const offered = round >= maxRounds ? [] : offeredTools.filter(({ name }) => !refused.includes(name));
  const tools = offered.map(({ name, title, description, inputSchema, annotations }): AskedTool => {
    const page = { isReadOnly: annotations?.readOnlyHint === true, round: round + 1 };
    return {
      name,
      ...(title === undefined ? {} : { title }),
      description,
      // Some agents refuse a schema without these.
      inputSchema: { type: 'object', properties: {}, ...inputSchema },
      ask: ({ id, input }): AskedInterrupt => ({
        id,
        reason: 'client_tool',
        message: title ?? name,
        toolId: id,
        toolName: name,
        input,
        page,
      }),
    };
  });
  return { tools, refused };
}

/** The names of the tools in the operator's options, which are part of each request without changes. */
export function namesOfOptions({ tools }: Record<string, unknown>): string[] {
  if (!Array.isArray(tools)) return isObject(tools) ? Object.keys(tools) : [];
  return tools.flatMap((tool) => {
    const { name } = Object(isObject(tool?.function) ? tool.function : tool);
    return typeof name === 'string' ? name : [];
  });
}

/** The text that the agent gets instead of a result. */
const reasons: Partial<Record<SettledInterrupt['by'], string>> = {
  expired: 'The page did not answer in time. The tool did not run.',
  unknown_outcome:
    'It is not known whether the tool has run. Do not call it again without asking the visitor.',
};

interface Call {
  id: string;
  toolName: string | undefined;
  isReadOnly: boolean;
}

/** The result of a call, and whether the agent continues because of it. */
export function resultOfCall(
  { id, toolName, isReadOnly }: Call,
  { payload, by }: SettledInterrupt,
): { resumed: Resumed; goesOn: boolean } {
  const call = { interruptId: id, toolId: id, ...(toolName === undefined ? {} : { toolName }) };
  const error = reasons[by];
  const result = payload ? resultOf(payload) : error && { error };
  const resumed: Resumed =
    result === undefined
      ? { ...call, status: 'cancelled' }
      : { ...call, status: 'resolved', payload: result };
  // If the visitor has left, nothing was decided, so the run ends. If the tool only reads, the run continues without
  // its result.
  const goesOn = payload !== undefined || by === 'unknown_outcome' || (by === 'expired' && isReadOnly);
  return { resumed, goesOn };
}

function resultOf(payload: Record<string, unknown>): unknown {
  if (Object.hasOwn(payload, 'result')) return payload.result;
  return { error: typeof payload.error === 'string' ? payload.error : 'The visitor did not allow the call.' };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
