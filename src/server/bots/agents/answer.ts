// Writes the events of an agent into the answer of the bot. Drops events that are not shown, before they are stored or sent.
import type { AgentShown } from '../../../protocol/admin.ts';
import type { AnswerTool } from '../../../protocol/bot.ts';
import { limits } from '../../../protocol/limits.ts';
import type { ToolState } from '../../../protocol/parts.ts';
import { beginningOf } from '../../api/message-text.ts';
import type { BotStreamHandle } from '../answers/stream.ts';
import { createCitations } from './citations.ts';
import { createCitationStream, type Segment } from './knowledge/citation-stream.ts';
import { createPassageSources, type RunPassages } from './knowledge/passages.ts';
import type { AgentEvent } from './protocol.ts';

/** Tools of the earlier message whose interrupts were answered. The agent reports their results in this run. */
export interface EarlierTools {
  /** The ids of their parts, by the ids of the agent. */
  parts: ReadonlyMap<string, string>;
  update(partId: string, fields: { state: ToolState; output?: unknown }): void;
}

export interface AgentAnswer {
  /**
   * Writes an event into the answer. Returns false when the text has reached its maximum length; further events are
   * dropped.
   */
  write(event: AgentEvent): boolean;
  /** The text that follows belongs to another answer of the model. */
  beginStep(): void;
  /** The text since then was reasoning: it is taken back, and becomes reasoning. */
  moveText(): void;
  /** Another response follows: its text begins a paragraph, and its offsets count from here. */
  nextStep(): void;
  /** The id of the part of a tool, if it is shown. */
  partOf(toolId: string): string | undefined;
  /** The number of characters that the agent has written, shown or not. */
  readonly characters: number;
  /**
   * Returns the whole text with the citations of sources, and moves the parts accordingly. Call it once, at the end.
   * `isWhole`: the answer is complete, so it gets sources even if it cites none.
   */
  finish(isWhole: boolean): string;
}

type ToolEvent = Extract<AgentEvent, { type: 'tool' | `tool-${string}` }>;

const earlierStates: Partial<Record<ToolEvent['type'], ToolState>> = {
  'tool-output': 'output-available',
  'tool-error': 'output-error',
  'tool-denied': 'output-denied',
};

/** Characters that are reserved for citations, and for a paragraph after a part. */
const reserved = 1_000;

export function createAgentAnswer(
  handle: BotStreamHandle,
  shown: readonly AgentShown[],
  { earlier, passages }: { earlier?: EarlierTools | undefined; passages?: RunPassages | undefined } = {},
): AgentAnswer {
  const { stream } = handle;
  const isShown = (what: AgentShown) => shown.includes(what);
  const tools = new Map<string, AnswerTool>();
  const blocks = new Map<string, string>();
  const citations = createCitations();
  const sources =
    passages && createPassageSources(passages, shown, (source) => attempt(() => stream.source(source)));
  const cited = sources && createCitationStream(sources.numberOf);
  let characters = 0;
  let hasStatus = false;

  /** A part that is invalid or exceeds the maximum number is dropped. The text continues. */
  function attempt<T>(change: () => T): T | undefined {
    try {
      return change();
    } catch {
      return undefined;
    }
  }

  function status(text: string): void {
    if (text === '' && !hasStatus) return;
    hasStatus = text !== '';
    attempt(() => stream.status(text));
  }

  /** `length`: the number of characters of the agent that the text replaces. */
  function writeText(delta: string, length = delta.length): boolean {
    if (delta === '') return true;
    status('');
    const free = limits.streamCharacters - reserved - handle.text().length;
    const piece = delta.length > free ? beginningOf(delta, free) : delta;
    if (piece !== '') {
      stream.write(piece);
      citations.written(length, handle.text().length);
    }
    return piece === delta;
  }

  /** An empty line, unless the text ends with one. The next text adds it, so that an answer does not end with it. */
  let isParagraph = false;
  function writeAfterParagraph(delta: string, length?: number): boolean {
    if (!isParagraph || delta === '') return writeText(delta, length);
    isParagraph = false;
    const text = handle.text();
    if (text !== '' && !text.endsWith('\n\n')) {
      stream.write(text.endsWith('\n') ? '\n' : '\n\n');
    }
    return writeText(delta, length);
  }

  const writeSegments = (segments: readonly Segment[]): boolean =>
    segments.every(({ text, length }) => writeAfterParagraph(text, length));

  /** Writes the text that was held back for a citation, because something other than text follows. */
  const flush = (): boolean => writeSegments(cited?.flush() ?? []);

  function writeTool(event: ToolEvent): void {
    if (!isShown('tools')) return;
    if (event.type === 'tool') {
      if (tools.has(event.id)) return;
      const { name, title } = event;
      const tool = attempt(() => stream.tool({ name, ...(title === undefined ? {} : { title }) }));
      if (tool) tools.set(event.id, tool);
      return;
    }
    const tool = tools.get(event.id);
    if (!tool) {
      writeEarlier(event);
      return;
    }
    attempt(() => {
      switch (event.type) {
        case 'tool-input':
          if (isShown('tool-input')) handle.changePart({ id: tool.id, input: event.input });
          return;
        case 'tool-output':
          return tool.done(isShown('tool-output') ? event.output : undefined);
        case 'tool-error':
          return tool.failed();
        case 'tool-denied':
          return handle.changePart({ id: tool.id, state: 'output-denied' });
      }
    });
  }

  function writeEarlier(event: Exclude<ToolEvent, { type: 'tool' }>): void {
    const partId = earlier?.parts.get(event.id);
    const state = earlierStates[event.type];
    if (partId === undefined || !state) return;
    const output = event.type === 'tool-output' && isShown('tool-output') ? { output: event.output } : {};
    earlier?.update(partId, { state, ...output });
  }

  function writeSource({ title, url, end }: Extract<AgentEvent, { type: 'source' }>): void {
    if (!isShown('sources')) return;
    const number = attempt(() => stream.source({ title, ...(url === undefined ? {} : { url }) }));
    if (number !== undefined && end !== undefined) citations.cite(number, end);
  }

  function writeBlock({ id, name, data, fallback }: Extract<AgentEvent, { type: 'block' }>): void {
    const partId = blocks.get(id);
    attempt(() => {
      if (partId === undefined) blocks.set(id, stream.block(name, data, fallback));
      else handle.changePart({ id: partId, name, data, fallback });
    });
  }

  /** Where the text of the current answer of the model begins. */
  let begin = 0;
  function beginStep(): void {
    flush();
    begin = handle.text().length;
    citations.mark();
  }

  return {
    write(event) {
      switch (event.type) {
        case 'text':
          characters += event.delta.length;
          return cited ? writeSegments(cited.push(event.delta)) : writeAfterParagraph(event.delta);
        case 'paragraph':
          flush();
          isParagraph = true;
          break;
        case 'status':
          if (isShown('status')) status(event.text);
          break;
        case 'reasoning':
          characters += event.delta.length;
          flush();
          if (isShown('reasoning')) attempt(() => stream.reasoning(event.delta));
          break;
        case 'tool':
        case 'tool-input':
        case 'tool-output':
        case 'tool-error':
        case 'tool-denied':
          flush();
          writeTool(event);
          break;
        case 'source':
          writeSource(event);
          break;
        case 'block':
          flush();
          writeBlock(event);
          break;
      }
      return true;
    },
    beginStep,
    moveText() {
      flush();
      const text = handle.text();
      const moved = text.slice(begin);
      if (moved === '') return;
      handle.restart(text.slice(0, begin));
      citations.takeBack();
      isParagraph = begin > 0;
      if (isShown('reasoning')) attempt(() => stream.reasoning(moved.trim()));
    },
    nextStep() {
      beginStep();
      isParagraph = true;
      citations.nextStep();
    },
    partOf: (toolId) => tools.get(toolId)?.id,
    get characters() {
      return characters;
    },
    finish(isWhole) {
      flush();
      if (isWhole && handle.text().trim() !== '') sources?.addBest();
      const { text, moved } = citations.applied(handle.text());
      for (const { id, at } of handle.parts()) {
        const changed = moved(at);
        if (changed !== at) attempt(() => handle.changePart({ id, at: changed }));
      }
      return text;
    },
  };
}
