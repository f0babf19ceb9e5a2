// What every answer has to be, whatever was asked. Each broken law is a line. It sends nothing.
import * as v from 'valibot';
import { errorTypes, isErrorBody } from '../../../src/protocol/error.ts';
import type { Answer, Exchange } from './raw-http.ts';
import type { Made } from './requests.ts';
import type { Sample } from './samples.ts';

/** The broken laws of one exchange. */
export function judge(sample: Sample, made: Made, { outcome, answers, malformed }: Exchange): string[] {
  const faults: string[] = [];
  if (malformed !== undefined) faults.push(`what came is not HTTP: ${malformed}`);
  if (outcome === 'refused') faults.push('the server does not listen any more');
  if (outcome === 'silent') faults.push('no answer, and no end');
  if (outcome === 'closed' && made.isHttp) faults.push('closed without an answer');
  for (const answer of answers) {
    faults.push(...ofAnswer(answer, made));
    if (made.isOperation) faults.push(...ofOperation(answer, sample));
  }
  return faults;
}

function ofAnswer({ status, headers, body }: Answer, { method }: Made): string[] {
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
  return isWhole && others.length === 0 ? [] : [`${status} with odd fields: ${body.slice(0, 300)}`];
}

/** A success has the shape that the operation's documentation gives it. */
function ofOperation({ status, headers, body }: Answer, { operation }: Sample): string[] {
  if (!operation || status >= 400) return [];
  if (status !== operation.status) return [`${status} in place of ${operation.status}`];
  if (operation.kind === 'listen') {
    return headers.get('content-type') === 'text/event-stream' ? [] : ['a stream that is none'];
  }
  const result = v.safeParse(operation.response, jsonOf(body));
  if (result.success) return [];
  return [`an answer of another shape: ${result.issues[0].message}: ${body.slice(0, 300)}`];
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString());
  } catch {
    return undefined;
  }
}
