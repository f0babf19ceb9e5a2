// Merges the events of a batch, so that an agent that sends single characters costs no signal for each of them.
import { splitHalf } from '../../api/message-text.ts';
import type { AgentEvent } from './protocol.ts';

export interface EventMerger {
  /**
   * Returns events with the same meaning: neighboring pieces of text are one, and of neighboring states of the same thing only
   * the last is left. A piece does not end within a character: the first half of one waits for the next piece.
   */
  merge(events: readonly AgentEvent[]): AgentEvent[];
}

type PieceType = 'text' | 'reasoning';

/** Creates the merger of one response. */
export function createEventMerger(): EventMerger {
  const halves: Record<PieceType, string> = { text: '', reasoning: '' };

  function whole(event: AgentEvent): AgentEvent[] {
    if (event.type !== 'text' && event.type !== 'reasoning') return [event];
    const { whole: delta, half } = splitHalf(halves[event.type] + event.delta);
    halves[event.type] = half;
    return delta === '' ? [] : [{ type: event.type, delta }];
  }

  return {
    merge(received) {
      const events = withoutReasoningAsText(received);
      const merged: AgentEvent[] = [];
      let pieces: string[] = [];
      const endPieces = () => {
        const last = merged.at(-1);
        if (pieces.length > 0 && (last?.type === 'text' || last?.type === 'reasoning'))
          merged[merged.length - 1] = { type: last.type, delta: pieces.join('') };
        pieces = [];
      };
      for (const event of events) {
        const last = merged.at(-1);
        const isPiece = event.type === 'text' || event.type === 'reasoning';
        if (isPiece && last?.type === event.type) {
          pieces.push(event.delta);
          continue;
        }
        endPieces();
        if (isPiece) pieces.push(event.delta);
        if (last && replaces(event, last)) merged.pop();
        merged.push(event);
      }
      endPieces();
      return merged.flatMap(whole);
    },
  };
}

/** Text of a batch that turns out to be reasoning is never written as text. */
function withoutReasoningAsText(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const last = events.findLastIndex(({ type }) => type === 'text-was-reasoning');
  if (last < 0) return events;
  const step = events.slice(0, last).findLastIndex(({ type }) => type === 'step') + 1;
  const moved = events
    .slice(step, last)
    .filter(({ type }) => type !== 'text-was-reasoning' && type !== 'paragraph')
    .map((event): AgentEvent => (event.type === 'text' ? { ...event, type: 'reasoning' } : event));
  const before = withoutReasoningAsText(events.slice(0, step));
  return [...before, { type: 'text-was-reasoning' }, ...moved, ...events.slice(last + 1)];
}

/** Whether nothing of an event is left after the one that follows it. */
function replaces(event: AgentEvent, last: AgentEvent): boolean {
  if (event.type !== last.type) return false;
  if (event.type === 'block' && last.type === 'block') return event.id === last.id;
  return event.type === 'status' || event.type === 'paragraph' || event.type === 'saveState';
}
