// Asks a language model through an OpenAI-compatible chat-completions address, and sorts its failures by what helps.
import { type JsonAnswer, NoAnswer, postJson, readRetryAfter } from '../../api/outgoing-requests.ts';

export interface ModelOptions {
  /** The address that ends with `/chat/completions`, or the one before that part. */
  url: string;
  /** Sent as `Authorization: Bearer`. */
  key?: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
  model: string;
  /** Merged into each request last; null removes a field. */
  options?: Record<string, unknown> | undefined;
  /** Milliseconds that one answer can take; the default is a minute. */
  timeLimit?: number;
}

export interface Prompt {
  /** What to do. */
  instructions: string;
  /** The data, which is not trusted. */
  data: string;
  /** The JSON schema of the answer. */
  schema: object;
}

export interface Model {
  name: string;
  /** Returns the text of the answer. Throws ModelError, or the signal's reason. */
  ask(prompt: Prompt, signal: AbortSignal): Promise<string>;
}

/**
 * `later`: the address refuses or cannot be reached, so that other requests would fail, too. `again`: this request may
 * succeed when it is repeated. `never`: it will not.
 */
export type Remedy = 'later' | 'again' | 'never';

/** A failed request. The message is for the caller and contains nothing of the response. */
export class ModelError extends Error {
  readonly remedy: Remedy;
  /** Milliseconds that the address asks to wait. */
  readonly wait: number | undefined;

  constructor(remedy: Remedy, message: string, wait?: number) {
    super(message);
    this.remedy = remedy;
    this.wait = wait;
  }
}

/** Tokens and bytes of one answer: one cell is short. */
const answerTokens = 2_048;
const answerBytes = 1_000_000;
const maxWaitMs = 60 * 60 * 1000;

export function createModel({
  url,
  key,
  headers,
  model,
  options = {},
  timeLimit = 60_000,
}: ModelOptions): Model {
  const address = /\/chat\/completions\/?(?:\?|$)/.test(url)
    ? url
    : `${url.replace(/\/+$/, '')}/chat/completions`;

  async function ask({ instructions, data, schema }: Prompt, signal: AbortSignal): Promise<string> {
    const body = {
      model,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: data },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'cell', schema } },
      max_completion_tokens: answerTokens,
      stream: false,
      ...options,
    };
    const fields = Object.entries(body).filter(([, value]) => value !== null);
    try {
      const answer = await postJson({
        url: address,
        key,
        headers,
        body: Object.fromEntries(fields),
        timeLimit,
        maxBytes: answerBytes,
        signal,
      });
      if (answer.status !== 200) throw refusal(answer);
      return contentOf(answer.text);
    } catch (error) {
      throw error instanceof NoAnswer ? withoutAnswer(error, timeLimit) : error;
    }
  }

  return { name: model, ask };
}

function withoutAnswer({ reason }: NoAnswer, timeLimit: number): ModelError {
  switch (reason) {
    case 'timeout': {
      const seconds = Math.ceil(timeLimit / 1000);
      return new ModelError('again', `The language model gave no answer within ${seconds} seconds.`);
    }
    case 'too_large':
      return new ModelError('again', `The answer of the language model has more than ${answerBytes} bytes.`);
    case 'unreachable':
      return new ModelError('later', 'The language model cannot be reached.');
  }
}

function refusal({ status, headers }: JsonAnswer): ModelError {
  const message = `The language model answered with status ${status}.`;
  if (status === 429 || status === 503) {
    const wait = readRetryAfter(headers.get('retry-after') ?? undefined, Date.now());
    return new ModelError('later', message, wait === undefined ? undefined : Math.min(maxWaitMs, wait));
  }
  // A wrong key, address or name of a model: the operator has to correct a setting.
  if ([401, 402, 403, 404, 407].includes(status) || (status >= 300 && status < 400) || status < 300) {
    return new ModelError('later', message);
  }
  return new ModelError(status >= 500 || status === 408 || status === 409 ? 'again' : 'never', message);
}

interface Completion {
  choices?: { message?: { content?: unknown; refusal?: unknown }; finish_reason?: unknown }[];
}

function contentOf(text: string): string {
  let completion: Completion | null;
  try {
    completion = JSON.parse(text);
  } catch {
    throw new ModelError('again', 'The answer of the language model is not JSON.');
  }
  const choice = Array.isArray(completion?.choices) ? completion.choices[0] : undefined;
  if (choice?.message?.refusal) throw new ModelError('never', 'The language model refused to answer.');
  if (choice?.finish_reason === 'content_filter') {
    throw new ModelError('never', 'A filter of the language model rejected the content.');
  }
  if (choice?.finish_reason === 'length')
    throw new ModelError('again', 'The answer of the language model is too long.');
  const content = choice?.message?.content;
  if (typeof content !== 'string') throw new ModelError('again', 'The language model gave no text.');
  return content;
}
