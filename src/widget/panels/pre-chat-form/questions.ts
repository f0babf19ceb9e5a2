// The questions that the form shows. Only the named actions write them.
import { type Signal, signal } from '@preact/signals';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Problems, Typed } from './check-answers.ts';
import type { Field } from './read-form.ts';

/** The questions that are asked now. */
export interface Asking {
  fields: readonly Field[];
  /** The answers are being sent. */
  isBusy: boolean;
  /** The refusal of the server. */
  problems: Problems;
  submit(typed: Typed): void;
  /** Back to the conversation that would be replaced; undefined without one. */
  cancel?: (() => void) | undefined;
}

const questions = new WeakMap<Widget, Signal<Asking | undefined>>();

function find(widget: Widget): Signal<Asking | undefined> {
  const question = questions.get(widget) ?? signal<Asking | undefined>(undefined);
  questions.set(widget, question);
  return question;
}

/** Returns what is asked now. Reading it while rendering subscribes. */
export const askingOf = (widget: Widget): Asking | undefined => find(widget).value;

export function showQuestions(widget: Widget, asking: Asking): void {
  find(widget).value = asking;
}

/** The answers are being sent, and nothing is refused yet. */
export function setSubmitted(widget: Widget): void {
  const asking = find(widget);
  if (asking.value) asking.value = { ...asking.value, isBusy: true, problems: {} };
}

export function hideQuestions(widget: Widget): void {
  find(widget).value = undefined;
}
