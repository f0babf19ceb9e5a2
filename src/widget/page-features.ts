// Additions of the page to answers: tools that it runs, and blocks that it draws. Types only, as those of the interface
// between the launcher and the chat.
import type { ComponentChild } from 'preact';
import type { PageClient } from '../protocol/interrupts.ts';
import type { BlockPart, InterruptPart, Part } from '../protocol/parts.ts';

/** The state of a call of a tool of the page in the chat. */
export interface PageCall {
  /** The name of the text that is shown: another page runs it, or this one does until the server has the answer. '': the visitor decides. */
  state: 'stepWaiting' | 'stepRunning' | '';
}

/** Runs the tools of the page, and adds what the page offers to what the visitor sends. */
export interface PageTools {
  /** Returns the state of a call that is open. Reading it while rendering subscribes. */
  stateOf(call: InterruptPart): PageCall['state'];
  /** Changes the steps of an answer whose tools run here: the server knows them as asked for until they have ended. */
  showRunning(pieces: readonly { type: string; steps?: unknown[] }[], parts: readonly Part[]): void;
  /** The visitor has decided. */
  decide(call: InterruptPart, answer: { payload?: Record<string, unknown> }): void;
  /** The offer that goes with an answer of the visitor to a question. */
  offer(): Promise<PageClient | undefined>;
  /** The visitor is another one: what the tab has stored is removed, unless that one goes on with the conversation. */
  forget(): void;
}

/** Code of the page for the blocks of answers. */
export interface PageBlocks {
  /** Draws a block; returns nothing if the page has no code for it. `fallback`: what is shown if that fails. */
  draw(part: BlockPart, fallback: ComponentChild): ComponentChild;
  /** Returns what a block says to those who do not see it; undefined if the page does not tell. Never throws. */
  describe(part: BlockPart): string | undefined;
}
