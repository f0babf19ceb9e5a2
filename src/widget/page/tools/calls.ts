// The calls of tools of the page that are open: found in the messages, claimed before they run, run once, and answered.

import { type Signal, signal } from '@preact/signals';
import { claimInterrupt, respondToInterrupt } from '../../../client/operations/chat.ts';
import type { InterruptPart, ToolPart } from '../../../protocol/parts.ts';
import type { ClientToolAnswer } from '../../../protocol/types/interrupts.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { newId } from '../../chat/session/ids.ts';
import { pause, retryWithBackoff } from '../../chat/session/retry.ts';
import type { PageCall, PageTools } from '../../page-features.ts';
import type { Offers } from './offer.ts';
import type { KnownTool } from './read-tool.ts';
import { runTool } from './run-tool.ts';
import type { BegunCall, Tab } from './tab.ts';

/** Milliseconds in which a page that was loaded again can register the tool of an open call. */
const registrationMs = 3_000;

export interface Calls {
  stateOf: PageTools['stateOf'];
  showRunning: PageTools['showRunning'];
  decide: PageTools['decide'];
  /** Looks for calls that are new, or whose tool is new. */
  scan(): void;
}

const isReadOnly = ({ sent }: KnownTool) => sent.annotations?.readOnlyHint === true;

export function createCalls(internals: SessionInternals, offers: Offers, tab: Tab): Calls {
  const { widget, store, getSignal, report } = internals;
  const client = internals.client.with({ claimInterrupt, respondToInterrupt });
  const states = createCallStates();
  /** The calls that this tab is deciding about, or runs. */
  const begun = new Set<string>();
  /** The tools about which the visitor is asked, by call. */
  const questions = new Map<string, KnownTool>();
  /** Ends the tools that run, by call. */
  const running = new Map<string, AbortController>();

  const isOwn = ({ clientId }: InterruptPart) => clientId === undefined || clientId === tab.id;
  /** All calls in the messages. */
  function* allCalls(): Generator<InterruptPart> {
    for (const { id, status, parts } of store.state.rows) {
      if (id === undefined || status === 'streaming' || !Array.isArray(parts)) continue;
      for (const part of parts as readonly InterruptPart[])
        if (part?.type === 'interrupt' && part.reason === 'client_tool') yield part;
    }
  }
  const isOpen = ({ id }: InterruptPart) =>
    [...allCalls()].some((call) => call.id === id && call.state === 'open');
  const find = async ({ toolName = '' }: InterruptPart) => (await offers.tools()).get(toolName);

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

  const claimCall = ({ id }: InterruptPart, claim: string, end: AbortSignal) =>
    retryWithBackoff(() => client.claimInterrupt({ id, claim }, { signal: end }), { signal: end });

  /** Runs `work` as the one that deals with a call. A call that the server refuses is handled elsewhere. */
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
      states.setWaiting(call.id);
    }
  }

  /** Runs a tool as it is now. `asked`: about which the visitor was asked; undefined for one that asks nobody. */
  async function answerOf(
    call: InterruptPart,
    asked: KnownTool | undefined,
    signal: AbortSignal,
  ): Promise<ClientToolAnswer> {
    const tool = await find(call);
    if (!tool) return { error: 'The page does not have this tool any more.' };
    const isSame = !tool.isForeign || JSON.stringify(tool.sent) === JSON.stringify(asked?.sent);
    // It may have been registered again while the call was claimed.
    if (asked ? !isSame : !isReadOnly(tool))
      return { error: 'The tool has changed, so it was not called. The visitor must be asked again.' };
    return runTool(tool, call.input, signal);
  }

  /** Claims a call and runs its tool. From the claim on, a visitor who leaves or writes something else stops it. */
  async function claimAndRun(
    call: InterruptPart,
    asked: KnownTool | undefined,
    claim: string,
    end: AbortSignal,
  ): Promise<ClientToolAnswer> {
    const stop = new AbortController();
    running.set(call.id, stop);
    end.addEventListener('abort', () => stop.abort(end.reason), { signal: stop.signal });
    try {
      await claimCall(call, claim, end);
      return await answerOf(call, asked, stop.signal);
    } finally {
      running.delete(call.id);
      stop.abort();
    }
  }

  const run = (call: InterruptPart, asked?: KnownTool) =>
    deal(call, async (end) => {
      states.setRunning(call.id);
      const claim = newId();
      await holdClaim(claim, end, async () => {
        end.throwIfAborted();
        // Before the claim: a page that is loaded again must know that it may have run.
        tab.note(call.id, { claim });
        const answer = await claimAndRun(call, asked, claim, end);
        // It is not known what a tool has done that nobody waited for.
        end.throwIfAborted();
        tab.note(call.id, { claim, answer });
        await respond(call, { status: 'resolved', payload: answer }, claim, end);
        end.throwIfAborted();
        tab.note(call.id, undefined);
      });
    });

  /** A call that this tab has begun to run before the page was loaded again: it may have had its effect. */
  const goOn = (call: InterruptPart, { claim, answer }: BegunCall) =>
    deal(call, (end) =>
      // In a duplicate of the tab in which the tool runs, this waits for that tab, which sends the result.
      holdClaim(claim, end, async () => {
        end.throwIfAborted();
        if (!isOpen(call)) return tab.note(call.id, undefined);
        states.setRunning(call.id);
        // It may not have reached the server.
        await claimCall(call, claim, end);
        await respond(
          call,
          answer ? { status: 'resolved', payload: answer } : { status: 'cancelled' },
          claim,
          end,
        );
        end.throwIfAborted();
        tab.note(call.id, undefined);
      }),
    );

  async function begin(call: InterruptPart): Promise<void> {
    const earlier = tab.begunOf(call.id);
    if (earlier) return goOn(call, earlier);
    // The code was loaded for what an earlier page has begun: whatever else is open waits for a page that has tools.
    if (offers.isEmpty()) {
      begun.delete(call.id);
      return undefined;
    }
    const end = getSignal();
    let tool = await find(call);
    if (!tool && call.clientId !== undefined) {
      await pause(registrationMs, end).catch(() => {});
      tool = await find(call);
    }
    // Where no tab is named, another one may have it.
    if (end.aborted || (!tool && call.clientId === undefined)) begun.delete(call.id);
    else if (tool && !isReadOnly(tool)) {
      questions.set(call.id, tool);
      states.setAsked(call.id);
    } else return run(call);
    return undefined;
  }

  function scan(): void {
    for (const part of allCalls()) {
      // Nobody waits for it any more: the visitor has written something else.
      if (part.state !== 'open') running.get(part.id)?.abort();
      if (part.state !== 'open' || begun.has(part.id) || !isOwn(part)) continue;
      begun.add(part.id);
      // Not in the task that draws the message, whose state it changes.
      void Promise.resolve().then(() => begin(part));
    }
  }

  widget.signal.addEventListener('abort', store.observe(scan));

  return {
    stateOf: ({ id }) => states.of(id),
    showRunning(pieces, parts) {
      for (const part of parts) {
        const isOpen = part.type === 'interrupt' && part.reason === 'client_tool' && part.state === 'open';
        if (!isOpen || states.of(part.id) !== 'stepRunning') continue;
        for (const piece of pieces) {
          piece.steps = piece.steps?.map((step) =>
            (step as ToolPart).id === part.toolId
              ? { ...(step as ToolPart), state: 'input-available' }
              : step,
          ) as unknown[];
        }
      }
    },
    decide(call, { payload }) {
      if (states.of(call.id) !== '') return;
      if (payload?.approved === true) void run(call, questions.get(call.id));
      else {
        states.setRunning(call.id);
        void deal(call, (end) =>
          respond(call, { status: 'resolved', payload: { approved: false } }, undefined, end),
        );
      }
    },
    scan,
  };
}

/** The states of the calls of tools of the page, as they are shown. Only the named actions write them. */
interface CallStates {
  /** Returns the state of a call, which waits at first. Reading it while rendering subscribes. */
  of(id: string): PageCall['state'];
  setWaiting(id: string): void;
  setRunning(id: string): void;
  /** The visitor is asked. */
  setAsked(id: string): void;
}

function createCallStates(): CallStates {
  const states = new Map<string, Signal<PageCall['state']>>();
  const find = (id: string) => {
    const state = states.get(id) ?? signal<PageCall['state']>('stepWaiting');
    states.set(id, state);
    return state;
  };
  const setter = (state: PageCall['state']) => (id: string) => {
    find(id).value = state;
  };
  return {
    of: (id) => find(id).value,
    setWaiting: setter('stepWaiting'),
    setRunning: setter('stepRunning'),
    setAsked: setter(''),
  };
}

/**
 * Runs `work` with the browser's lock of this claim: duplicates of the tab know the claim too, because browsers copy the session
 * storage. The lock ends with `work`, and when the page is left: the next page goes on. A browser without locks, and a page that may
 * not use them, does not know of other pages. Rejects as `work` does, and when `end` is aborted while it waits.
 */
async function holdClaim(claim: string, end: AbortSignal, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  let outcome: Promise<void> | undefined;
  const begin = () => {
    outcome ??= work();
    return outcome;
  };
  // The browser may keep the page to go back to it.
  const pageHidden = new Promise<void>((resolve) => {
    addEventListener('pagehide', () => resolve(), { signal: over.signal });
  });
  try {
    const name = `platform-webchat tool ${claim}`;
    await navigator.locks.request(name, { signal: end }, () => Promise.race([begin(), pageHidden]));
  } catch {
    // There are no locks, or `work` or `end` has ended it: then the error is thrown below.
  } finally {
    over.abort();
  }
  if (!outcome) end.throwIfAborted();
  return begin();
}
