// The calls of tools of the page that are open: found in the messages, claimed before they run, run once, and answered.
import { type Signal, signal } from '@preact/signals';
import type * as Operations from '../../../../client/operations/chat.ts';
import { respondToInterrupt } from '../../../../client/operations/chat.ts';
import type { ClientToolAnswer } from '../../../../protocol/interrupts/client-tools.ts';
import type { InterruptPart } from '../../../../protocol/parts.ts';
import type { PageCall, PageTools } from '../../../launcher-chat-interface.ts';
import type { SessionInternals } from '../context.ts';
import { newId } from '../ids.ts';
import { pause, retryWithBackoff } from '../retry.ts';
import type { Offers } from './offer.ts';
import { runTool } from './run-tool.ts';
import type { Tab } from './tab.ts';

/** Not imported: the bundle of the window would contain it, which has the names of all operations that several bundles use. */
const claimInterrupt: typeof Operations.claimInterrupt = 'POST /interrupts/{id}/claim';

/** Milliseconds in which a page that was loaded again can register the tool of an open call. */
const registrationMs = 3_000;

export interface Calls {
  stateOf(call: InterruptPart): PageCall['state'];
  decide: PageTools['decide'];
  /** Looks for calls that are new, or whose tool is new. */
  scan(): void;
}

export function createCalls(internals: SessionInternals, offers: Offers, tab: Tab): Calls {
  const { widget, store, getSignal, report } = internals;
  const client = internals.client.with({ claimInterrupt, respondToInterrupt });
  const states = new Map<string, Signal<PageCall['state']>>();
  /** The calls that this tab is deciding about, or runs. */
  const begun = new Set<string>();
  const stateOf = (id: string) => {
    const state = states.get(id) ?? signal<PageCall['state']>('stepWaiting');
    states.set(id, state);
    return state;
  };

  const isOwn = ({ clientId }: InterruptPart) => clientId === undefined || clientId === tab.id;

  /** Sends an answer until the server has it, or has another one. */
  async function respond(
    { id }: InterruptPart,
    answer: { status: 'resolved'; payload: ClientToolAnswer } | { status: 'cancelled' },
    claim: string | undefined,
    end: AbortSignal,
  ): Promise<void> {
    const offer = await offers.collect();
    const input = { id, ...answer, ...(claim ? { claim } : {}), ...(offer ? { client: offer } : {}) };
    await retryWithBackoff(() => client.respondToInterrupt(input as never, { signal: end }), { signal: end });
  }

  /** Runs `work` as the one that deals with a call. What the server refuses is dealt with elsewhere. */
  async function deal(call: InterruptPart, work: (end: AbortSignal) => Promise<void>): Promise<void> {
    const end = getSignal();
    try {
      await work(end);
    } catch (error) {
      if (end.aborted) {
        // Another visitor, or another conversation.
        begun.delete(call.id);
        return;
      }
      const { code } = Object(error) as { code?: unknown };
      if (code !== 409 && code !== 404) report(error);
      tab.note(call.id, undefined);
      stateOf(call.id).value = 'stepWaiting';
    }
  }

  const run = (call: InterruptPart) =>
    deal(call, async (end) => {
      const { id, toolName = '', input } = call;
      stateOf(id).value = 'stepRunning';
      const claim = newId();
      // Before the claim: a page that is loaded again must know that it may have run.
      tab.note(id, claim);
      await retryWithBackoff(() => client.claimInterrupt({ id, claim }, { signal: end }), { signal: end });
      const known = offers.tools().get(toolName);
      const answer: ClientToolAnswer = known
        ? await runTool(known, input, end)
        : { error: 'The page does not have this tool any more.' };
      await respond(call, { status: 'resolved', payload: answer }, claim, end);
      tab.note(id, undefined);
    });

  /** A call that this tab has begun to run before the page was loaded again: it may have had its effect. */
  const giveUp = (call: InterruptPart, claim: string) =>
    deal(call, async (end) => {
      stateOf(call.id).value = 'stepRunning';
      // It may not have reached the server.
      await retryWithBackoff(() => client.claimInterrupt({ id: call.id, claim }, { signal: end }), {
        signal: end,
      });
      await respond(call, { status: 'cancelled' }, claim, end);
      tab.note(call.id, undefined);
    });

  async function begin(call: InterruptPart): Promise<void> {
    const earlier = tab.claimOf(call.id);
    if (earlier !== undefined) return giveUp(call, earlier);
    const find = () => offers.tools().get(call.toolName ?? '');
    let known = find();
    if (!known && call.clientId !== undefined) {
      await pause(registrationMs, getSignal()).catch(() => {});
      known = find();
    }
    if (known && known.annotations?.readOnlyHint !== true) {
      stateOf(call.id).value = '';
      return;
    }
    if (known || call.clientId !== undefined) return run(call);
    // Another tab may have it.
    begun.delete(call.id);
  }

  function scan(): void {
    for (const { id: messageId, status, parts } of store.state.rows) {
      if (messageId === undefined || status === 'streaming' || !Array.isArray(parts)) continue;
      for (const part of parts as unknown as InterruptPart[]) {
        const isCall = part?.type === 'interrupt' && part.reason === 'client_tool' && part.state === 'open';
        if (!isCall || begun.has(part.id) || !isOwn(part)) continue;
        begun.add(part.id);
        // Not in the task that draws the message, whose state it changes.
        void Promise.resolve().then(() => begin(part));
      }
    }
  }

  widget.signal.addEventListener('abort', store.observe(scan));

  return {
    stateOf: ({ id }) => stateOf(id).value,
    decide(call, { payload }) {
      if (stateOf(call.id).peek() !== '') return;
      if (payload?.approved === true) void run(call);
      else {
        stateOf(call.id).value = 'stepRunning';
        void deal(call, (end) =>
          respond(call, { status: 'resolved', payload: { approved: false } }, undefined, end),
        );
      }
    },
    scan,
  };
}
