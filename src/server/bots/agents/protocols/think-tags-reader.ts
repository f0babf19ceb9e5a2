// Separates the reasoning in the text of any protocol.
import type { AgentEvent, AgentReader } from '../protocol.ts';
import { createThinkTags } from './think-tags.ts';

/**
 * Returns a reader that separates the reasoning in the text of another one. Each step of an agent is an answer of its model.
 * `isPresumed`: see `createThinkTags`.
 */
export function withThinkTags(reader: AgentReader, isPresumed: boolean | undefined): AgentReader {
  let content = createThinkTags(isPresumed);

  function separated(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event): AgentEvent[] => {
      switch (event.type) {
        case 'text':
          return content.read(event.delta);
        case 'reasoning':
          return [...content.isSeparate(), event];
        case 'paragraph':
          return [...content.flush(), event];
        case 'source': {
          const { end } = event;
          return [end === undefined ? event : { ...event, end: Math.max(0, end - content.removed) }];
        }
        case 'step': {
          const rest = content.end();
          content = createThinkTags(isPresumed);
          return [...rest, event];
        }
        case 'end':
        case 'failed':
          return [...content.end(), event];
        default:
          return [event];
      }
    });
  }

  return {
    read: (event) => separated(reader.read(event)),
    end: () => separated(reader.end()),
  };
}
