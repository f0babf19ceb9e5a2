// Calls the Session API of the server that serves this page.
import type { ErrorBody } from '../../protocol/error.ts';
import { t } from '../ui/texts.ts';

/** The address of the API. */
const base = new URL('../v1/session', document.baseURI).href;

/** A refused request. `field`: the name of the field that is wrong, if it is one. */
export class Refusal extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(message: string, status: number, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** Sends a request and returns the body of the response. @throws Refusal with a message for the member. */
export async function call<Body>(method: string, path: string, input?: object): Promise<Body> {
  const response = await fetch(base + path, {
    method,
    cache: 'no-store',
    ...(input ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) } : {}),
  }).catch(() => undefined);
  if (!response)
    throw new Refusal(t('The server cannot be reached. Check your connection and try again.'), 0);
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && typeof body === 'object') return body as Body;
  const { message, metadata } = (body ?? {}) as Partial<ErrorBody>;
  const [issue] = (metadata?.issues ?? []) as { path?: string; message?: string }[];
  const text = issue?.message ?? message ?? t('The server cannot answer now. Try again later.');
  throw new Refusal(text, response.status, issue?.path);
}
