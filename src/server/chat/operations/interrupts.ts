// Operations on interrupts: questions of the bot that wait for a visitor.
import { interrupts } from '../../../protocol/operations/chat/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { handle } from './services.ts';

export const interruptHandlers = [
  // No bot can ask yet.
  handle(interrupts.respondToInterrupt, () => {
    throw new ApiError('ResourceNotFound', 'There is no such interrupt.');
  }),
];
