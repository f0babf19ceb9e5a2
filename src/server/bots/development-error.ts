// The message that shows the error of a bot in the visitor's chat window, in development only.
import { pathToFileURL } from 'node:url';
import type { Metadata, Payload } from '../../protocol/message.ts';
import { describeBotError } from '../startup/log.ts';
import { deleteMessagesByOrigin } from '../storage/chat/messages.ts';
import type { Database } from '../storage/database.ts';
import { AgentFailure } from './agents/failure.ts';
import type { EventContext } from './event-context.ts';
import { DeliveryRejected, InvalidWebhookResponse } from './webhooks/handler.ts';

const prefix = 'development:';

/** The origin of the message about an event. All of them begin with the same text, so that they can be removed. */
export const developmentOrigin = (eventId: string): string => `${prefix}${eventId}`;

/**
 * Removes the messages that a start in development left in the data folder. A server in production calls it before it
 * answers requests, so that it cannot send them.
 */
export const removeDevelopmentErrors = (db: Database): Promise<void> =>
  db.write((tx) => deleteMessagesByOrigin(tx, prefix));

/**
 * The error as one line, which the window wraps, and with its stack as a Markdown code block, which the window shows as
 * text that can be scrolled and copied.
 */
export function developmentError(
  { bot, event }: EventContext,
  error: unknown,
): { payload: Payload; metadata: Metadata } {
  const { line, stack } = textOf(error);
  const introduction = `The bot ${inline(bot.webhookId)} failed to handle an event of the type ${inline(event.type)}.`;
  const parts = [
    `**${introduction}**`,
    inline(line),
    ...(stack === '' ? [] : [block(stack)]),
    'Only a server in development shows this. Its log has the whole stack.',
  ];
  return {
    payload: { type: 'markdown', markdown: parts.join('\n\n') },
    metadata: { development: true },
  };
}

/** More backticks than a text contains in a row, so that the text cannot end the code. */
const fence = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));

const block = (text: string): string => `${fence(text, 3)}text\n${text}\n${fence(text, 3)}`;

function inline(text: string): string {
  const ticks = fence(text, 1);
  return `${ticks} ${text.replace(/\s+/g, ' ').trim()} ${ticks}`;
}

/** `line`: the error without its stack; `stack`: '' where there is none. */
function textOf(error: unknown): { line: string; stack: string } {
  if (error instanceof InvalidWebhookResponse)
    return { line: `The response of the webhook was refused: ${error.message}`, stack: '' };
  if (error instanceof DeliveryRejected)
    return { line: `The webhook did not accept the event: ${error.message}`, stack: '' };
  if (error instanceof AgentFailure) return { line: `The agent gave no answer: ${error.message}`, stack: '' };
  const { type, message, stack = '', cause, errors = [] } = describeBotError(error);
  const line = error instanceof Error ? `${type}: ${message}` : `${message} (thrown as ${type})`;
  const inner = [...errors, ...(cause ? [cause] : [])].map(
    (one) => `Caused by: ${one.stack ?? `${one.type}: ${one.message}`}`,
  );
  return { line, stack: [stack, ...inner].filter(Boolean).map(ownFrames).join('\n') };
}

/** The folder of the built server. */
const server = new URL('..', import.meta.url).href;

/** The stack without frames of Node and of this server, and with paths that are relative to the working directory. */
const ownFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^ {4}at /.test(line) || !(line.includes('node:') || line.includes(server)))
    .join('\n')
    .replaceAll(`${pathToFileURL(process.cwd()).href}/`, '');
