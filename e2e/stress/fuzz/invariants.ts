// The invariants of the fuzz test, which must hold for the response to any request.
import * as v from 'valibot';
import { errorTypes, isErrorBody } from '../../../src/protocol/error.ts';
import type { Exchange, RawResponse } from './raw-http.ts';
import type { PreparedRequest } from './requests.ts';
import type { Sample } from './samples.ts';

/** Returns the violated invariants of one exchange, in one line each. */
export function checkInvariants(
  sample: Sample,
  made: PreparedRequest,
  { outcome, answers, malformed }: Exchange,
): string[] {
  const faults: string[] = [];
  if (malformed !== undefined) faults.push(`the response is not valid HTTP: ${malformed}`);
  if (outcome === 'refused') faults.push('the server does not accept connections any more');
  if (outcome === 'silent') faults.push('no response, and no end');
  if (outcome === 'closed' && made.isHttp) faults.push('closed without a response');
  for (const answer of answers) {
    faults.push(...checkResponse(answer, made));
    if (made.isOperation) faults.push(...checkOperation(answer, sample));
  }
  return faults;
}

function checkResponse({ status, headers, body }: RawResponse, { method }: PreparedRequest): string[] {
  if (status >= 500) return [`${status}: ${body.slice(0, 300)}`];
  if (status === 204 || status === 304) return body === '' ? [] : [`${status} with a body`];
  if (status < 400 || (method === 'HEAD' && body === '')) return [];
  if (!headers.get('content-type')?.startsWith('application/json')) {
    return [`${status} as ${headers.get('content-type')}: ${body.slice(0, 300)}`];
  }
  const error = jsonOf(body);
  if (!isErrorBody(error)) return [`${status} without the five fields: ${body.slice(0, 300)}`];
  const { id, code, type, message, ...more } = error;
  const isWhole =
    code === status && /^err_\d{14}x[0-9A-F]{8}$/.test(id) && type in errorTypes && message.trim() !== '';
  const others = Object.keys(more).filter((name) => name !== 'metadata');
  return isWhole && others.length === 0 ? [] : [`${status} with unexpected fields: ${body.slice(0, 300)}`];
}

/** A successful response must match the schema of the operation. */
function checkOperation({ status, headers, body }: RawResponse, { operation }: Sample): string[] {
  if (!operation || status >= 400) return [];
  if (status !== operation.status) return [`${status} in place of ${operation.status}`];
  if (!operation.output) {
    return headers.get('content-type') === 'text/event-stream' ? [] : ['not an event stream'];
  }
  const result = v.safeParse(operation.output, jsonOf(body));
  if (result.success) return [];
  return [`the response does not match the schema: ${result.issues[0].message}: ${body.slice(0, 300)}`];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString());
  } catch {
    return undefined;
  }
}
