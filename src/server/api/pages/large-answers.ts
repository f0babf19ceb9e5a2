// Writes large responses in pieces.
import { createYielder } from './yielder.ts';

/** Bytes that a query has read above which its response is written in pieces. */
const largeBytes = 1_000_000;

const headers = { 'cache-control': 'no-store' };

/** Returns the response with a body as JSON. */
export const answer = (body: unknown, status: number): Response => Response.json(body, { status, headers });

/** Does the same for a query that has read `bytes`: other requests run while a large body is written. */
export async function answerOf(body: object, status: number, bytes: number): Promise<Response> {
  if (bytes <= largeBytes) return answer(body, status);
  const yielder = createYielder();
  const fields: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const isList = Array.isArray(value);
    const items: string[] = [];
    for (const item of isList ? value : [value]) {
      items.push(JSON.stringify(item) ?? 'null');
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
    fields.push(`${JSON.stringify(name)}:${isList ? `[${items.join(',')}]` : items.join()}`);
  }
  const text = `{${fields.join(',')}}`;
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } });
}
