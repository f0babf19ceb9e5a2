// Tests ids that are a literal segment of another operation's address.
import { expect, test } from 'vitest';
import type { Route } from '../../protocol/operations/operation.ts';
import { collidingOperation } from './route-collisions.ts';

const all: Record<string, Route> = {
  listFiles: 'GET /v1/files',
  getFile: 'GET /v1/files/{id}',
  deleteFile: 'DELETE /v1/files/{id}',
  listFileTags: 'GET /v1/files/tags',
  listFileTagValues: 'GET /v1/files/tags/{tag}/values',
  setFilePassages: 'PUT /v1/files/{id}/passages',
  updateKnowledgeBase: 'PUT /v1/files/knowledge-bases/{id}',
};
const collision = (name: string, target: string) => collidingOperation(all[name] as Route, target, all);

test.each([
  ['getFile', '/v1/files/tags', 'listFileTags'],
  ['getFile', '/v1/files/tags?a=1', 'listFileTags'],
  ['getFile', '/v1/files/Tags', undefined],
  ['getFile', '/v1/files/tags%2Fx', undefined],
  ['getFile', '/v1/files/x?y=/v1/files/tags', undefined],
  ['deleteFile', '/v1/files/tags', undefined],
  ['listFileTags', '/v1/files/tags', undefined],
  ['listFileTagValues', '/v1/files/tags/tags/values', undefined],
  ['setFilePassages', '/v1/files/knowledge-bases/passages', 'updateKnowledgeBase'],
  ['updateKnowledgeBase', '/v1/files/knowledge-bases/passages', 'setFilePassages'],
  ['setFilePassages', '/v1/files/x/passages', undefined],
])('%s at %s: %s', (name, target, expected) => {
  expect(collision(name, target)).toBe(expected);
});
