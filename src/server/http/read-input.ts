// Reads and checks the input of a request: its query, or its body. Another thread reads large bodies.
import { limits } from '../../protocol/limits.ts';
import { hasBody } from '../../protocol/operations/operation.ts';
import { checkBody, checkInput } from '../api/check-input.ts';
import type { Handler } from '../api/handler.ts';
import type { LargeBodies, LargeInput } from '../webchat/index.ts';
import { readJson } from './body.ts';
import { hasOnlyDeclared, readQuery } from './query.ts';

export interface InputOptions {
  bodyBytes: number;
  bodyValues: number | undefined;
  largeBodies: LargeBodies | undefined;
}

/**
 * Returns the validated query or body; undefined if the operation has none. `onRelease` gets what must be called after the
 * request.
 */
export async function readInput(
  { operation, parseBody, normalizeBody }: Pick<Handler<never>, 'operation' | 'parseBody' | 'normalizeBody'>,
  { bodyBytes, bodyValues, largeBodies }: InputOptions,
  request: Request,
  onRelease: (release: () => Promise<void>) => void,
): Promise<unknown> {
  const { input } = operation;
  if (!input || !hasBody(operation)) {
    const query = hasOnlyDeclared(operation) ? readQuery(new URL(request.url), input) : {};
    return input && checkInput(input, query, 'InvalidQuery');
  }
  let large: LargeInput | undefined;
  const openLarge = async () => {
    large = await largeBodies?.open(operation.id, bodyValues ?? limits.bodyValues);
    if (large) onRelease(large.release);
    return large as LargeInput;
  };
  const options = {
    values: bodyValues,
    parse: parseBody,
    openLarge: largeBodies && !normalizeBody && !parseBody ? openLarge : undefined,
  };
  const body = await readJson(request, bodyBytes, options);
  if (!body) return large?.end();
  return checkBody(input, normalizeBody ? normalizeBody(body.value) : body.value, body.size);
}
