// The properties of the component of a payload. Types only.
import type { ComponentChild } from 'preact';
import type { Payload } from '../../../protocol/message.ts';
import type { MarkdownOptions } from '../../markdown/types.ts';

export interface PayloadProps<P extends Payload = Payload> {
  payload: P;
  /** The visitor pressed a button: its label is sent as a text with its value. `action` is that of the button of a card. */
  onAnswer(label: string, value: string, action?: string): void;
  isStreaming?: boolean;
  /** For Markdown: returns the title of source number n. */
  cite?: MarkdownOptions['cite'];
}

/**
 * Draws a payload. Declared as a method, so that TypeScript accepts the function of one type of payload where any payload is
 * passed.
 */
export type Draw<Props> = { draw(props: Props): ComponentChild }['draw'];
