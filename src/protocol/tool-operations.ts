// The operations of the Chat API behind what a visitor does beyond writing. Apart, because a chunk carries them.
import type { Routes } from './operations.ts';

export const toolOperations = {
  createFile: 'POST /files',
  setFeedback: 'PUT /messages/{id}/feedback',
  deleteFeedback: 'DELETE /messages/{id}/feedback',
} as const satisfies Routes;
