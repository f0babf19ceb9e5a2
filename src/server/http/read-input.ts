// Reads and checks the input of a request: its query, or its body.
import { hasBody } from '../../protocol/operations/operation.ts';
import { checkBody, checkInput } from '../api/check-input.ts';
import type { Handler } from '../api/handler.ts';
import { readJson } from './body.ts';
import { hasOnlyDeclared, readQuery } from './query.ts';

export interface InputOptions {
  bodyBytes: number;
  bodyValues: number | undefined;
}

/** Returns the validated query or body; undefined if the operation has none. */
export async function readInput(
  { operation, parseBody, normalizeBody }: Pick<Handler<never>, 'operation' | 'parseBody' | 'normalizeBody'>,
  { bodyBytes, bodyValues }: InputOptions,
  request: Request,
): Promise<unknown> {
  const { input } = operation;
  if (!input || !hasBody(operation)) {
    const query = hasOnlyDeclared(operation) ? readQuery(new URL(request.url), input) : {};
    return input && checkInput(input, query, 'InvalidQuery');
  }
  const body = await readJson(request, bodyBytes, { values: bodyValues, parse: parseBody });
  return checkBody(input, normalizeBody ? normalizeBody(body.value) : body.value, body.size);
}
