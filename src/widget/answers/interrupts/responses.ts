// Sends the visitor's answers to interrupts. An answer is kept until the server has settled the interrupt, so that it
// is not lost without a connection. Sending it again has the same result.
import { type Signal, signal } from '@preact/signals';
import { respondToInterrupt } from '../../../client/operations/chat.ts';
import type { InterruptPart } from '../../../protocol/parts.ts';
import type { ResponseIssue } from '../../../protocol/response-schema.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import { retryWithBackoff } from '../../chat/session/retry.ts';
import type { Settlement } from './result.ts';

/** The answer of the visitor. */
export type InterruptAnswer =
  | { status: 'resolved'; payload: Record<string, unknown> }
  | { status: 'cancelled'; payload?: never };

/** An answer that is being sent. */
export interface SentAnswer {
  answer: InterruptAnswer;
  /** `queued` waits for its next attempt, `refused` is not sent again by itself. */
  status: 'sending' | 'queued' | 'refused' | 'settled';
  /** The interrupt as the server has settled it. */
  settled?: Settlement | undefined;
  /** Errors that the server found in the answer. */
  issues?: readonly ResponseIssue[] | undefined;
  /** Sends it now, unless it is being sent. */
  retry(): void;
}

export interface Responses {
  /** Returns the answer to an interrupt. Reading it while rendering subscribes. */
  of(id: string): SentAnswer | undefined;
  send(id: string, answer: InterruptAnswer): void;
  /** Stops sending, so that the visitor can answer again, or because the interrupt was already answered. */
  discard(id: string): void;
}

const responsesOfContext = new WeakMap<SessionContext, Responses>();

/** Returns the answers of a session. They outlive the components that show them. */
export function responsesOf(context: SessionContext): Responses {
  const responses = responsesOfContext.get(context) ?? createResponses(context);
  responsesOfContext.set(context, responses);
  return responses;
}

function createResponses(context: SessionContext): Responses {
  const client = context.client.with({ respondToInterrupt });
  const sent = new Map<string, { entry: Signal<SentAnswer | undefined>; end?: AbortController }>();
  const find = (id: string) => {
    const response = sent.get(id) ?? { entry: signal<SentAnswer | undefined>(undefined) };
    sent.set(id, response);
    return response;
  };
  const discard = (id: string) => {
    const { entry, end } = find(id);
    end?.abort();
    entry.value = undefined;
  };
  const send = (id: string, answer: InterruptAnswer) => {
    discard(id);
    const response = find(id);
    const end = new AbortController();
    response.end = end;
    context.getSignal().addEventListener('abort', () => discard(id), { signal: end.signal });
    let retry = () => {};
    const set = (change: Omit<SentAnswer, 'answer' | 'retry'>) => {
      if (!end.signal.aborted) response.entry.value = { answer, retry: () => retry(), ...change };
    };
    set({ status: 'sending' });
    // The tools and the context of the page are read again for each attempt. The server compares only the answers.
    const respond = async () => {
      const offer = await context.widget.pageTools?.offer();
      return client.respondToInterrupt({ id, ...answer, client: offer as object }, { signal: end.signal });
    };
    retryWithBackoff(respond, {
      signal: end.signal,
      onFailure: () => set({ status: 'queued' }),
      onPause(resume) {
        retry = resume;
      },
    }).then(
      ({ interrupt }) => set({ status: 'settled', settled: interrupt }),
      (error) => {
        if (end.signal.aborted) return;
        const { code, metadata } = Object(error) as {
          code?: unknown;
          metadata?: Partial<{ interrupt: InterruptPart; issues: readonly ResponseIssue[] }>;
        };
        // Another answer was faster, or the interrupt does not exist any more.
        const settled = code === 404 ? ({ state: 'cancelled' } as const) : metadata?.interrupt;
        if (settled) return set({ status: 'settled', settled });
        context.report(error);
        retry = () => send(id, answer);
        const issues = Array.isArray(metadata?.issues)
          ? metadata.issues.filter((issue) => Object(issue) === issue)
          : undefined;
        set({ status: 'refused', issues });
      },
    );
  };
  return { of: (id) => find(id).entry.value, send, discard };
}
