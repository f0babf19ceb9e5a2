// The common part of the readers of all protocols: events whose data is a JSON object, and one end. Why not the
// official clients: they need Node 22 or install 25 MB, and keep transcripts of their own (decision 81).
import type { AgentEvent, AgentReader } from '../../protocol.ts';
import { type JsonObject, objectOf, parseJson } from './values.ts';

/** Receives the events of an agent. Nothing is emitted after `end` or `failed`. */
export type Emit = (event: AgentEvent) => void;

export interface EventReaderOptions {
  /** Reads one event. For `[DONE]`, see `done`. */
  read(data: JsonObject, emit: Emit): void;
  /** The server has sent `[DONE]`, or the connection has ended. */
  done?(emit: Emit, isMarked: boolean): void;
}

/** Returns a reader. Other data than JSON objects, and what follows the end, is ignored. */
export function createEventReader({ read, done }: EventReaderOptions): AgentReader {
  let isOver = false;

  function collect(act: (emit: Emit) => void): AgentEvent[] {
    const events: AgentEvent[] = [];
    act((event) => {
      if (isOver) return;
      events.push(event);
      isOver = event.type === 'end' || event.type === 'failed';
    });
    return events;
  }

  return {
    read({ event, data }) {
      if (isOver) return [];
      if (data.trim() === '[DONE]') return collect((emit) => done?.(emit, true));
      const object = objectOf(parseJson(data));
      if (!object) return [];
      // Some servers name the type in the event alone.
      const isNamed = object.type === undefined && event !== 'message';
      return collect((emit) => read(isNamed ? { ...object, type: event } : object, emit));
    },
    end() {
      return collect((emit) => {
        if (isOver) return;
        done?.(emit, false);
        emit({ type: 'failed', code: 'incomplete' });
      });
    },
  };
}
