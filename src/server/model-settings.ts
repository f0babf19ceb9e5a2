// The settings of the language model and of what computed columns of tables may cost.
import * as v from 'valibot';
import { matching, type Setting, wholeNumber } from './setting.ts';
import { StartError } from './start-error.ts';
import type { ComputedLimits, ModelOptions } from './tables/index.ts';

const setting = <const S extends Setting<unknown>>(row: S): S => row;

export const modelSettings = {
  AGENT: setting({
    doc: 'Address of a language model with the chat completions of OpenAI: it ends with `/v1` or `/chat/completions`. It computes columns of tables ([tables.md](../guides/tables.md#computed-columns)).',
    defaultDoc: 'none',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#]+\/.*$/.test(text) && URL.canParse(text) && isCompletions(text),
        'must be an http or https address that ends with `/v1` or `/chat/completions`',
      ),
    ),
  }),
  AGENT_KEY: setting({
    doc: 'Key for this address, sent as `Authorization: Bearer`.',
    defaultDoc: 'none',
    schema: matching(/^[\x21-\x7e]{1,4000}$/, 'must be ASCII characters without spaces'),
    isSecret: true,
  }),
  AGENT_MODEL: setting({
    doc: 'Name of the model; required with `AGENT`.',
    defaultDoc: 'none',
    schema: v.string(),
  }),
  AGENT_OPTIONS: setting({
    doc: 'JSON object that is merged into each request to the model last, such as `{"temperature": 0}`; `null` removes a field.',
    default: '{}',
    schema: v.pipe(
      v.string(),
      v.rawTransform<string, Record<string, unknown>>(({ dataset, addIssue, NEVER }) => {
        try {
          const value: unknown = JSON.parse(dataset.value);
          if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
        } catch {
          // The message below covers it.
        }
        addIssue({ message: 'must be a JSON object' });
        return NEVER;
      }),
    ),
  }),
  COMPUTED_CELLS_PER_MINUTE: setting({
    doc: 'Requests to the model that the computed columns of one bot can make in a minute; `0` for no limit. Further cells wait.',
    default: '60',
    schema: wholeNumber(0, 9_999_999),
  }),
  COMPUTED_CELLS_PER_DAY: setting({
    doc: 'The same in a day (UTC).',
    default: '10000',
    schema: wholeNumber(0, 999_999_999),
  }),
  COMPUTED_PROMPT_CHARACTERS: setting({
    doc: 'Characters of one such request, instructions and data of the row together; a cell that needs more fails. `0` for no limit.',
    default: '16000',
    schema: wholeNumber(0, 99_999_999),
  }),
};

const isCompletions = (address: string): boolean =>
  /(?:\/v1|\/chat\/completions)\/?$/.test(new URL(address).pathname);

/** The values of these settings. */
export interface ModelSettings {
  AGENT: string | undefined;
  AGENT_KEY: string | undefined;
  AGENT_MODEL: string | undefined;
  AGENT_OPTIONS: Record<string, unknown>;
  COMPUTED_CELLS_PER_MINUTE: number;
  COMPUTED_CELLS_PER_DAY: number;
  COMPUTED_PROMPT_CHARACTERS: number;
}

/** Returns the model; undefined without an address. Throws StartError when its name is missing. */
export function readModel(settings: ModelSettings): ModelOptions | undefined {
  const { AGENT: url, AGENT_KEY: key, AGENT_MODEL: model, AGENT_OPTIONS: options } = settings;
  if (url === undefined) return undefined;
  if (model === undefined) throw new StartError('AGENT_MODEL is required with AGENT: the name of the model.');
  return { url, key, model, options };
}

export const readComputedLimits = (settings: ModelSettings): ComputedLimits => ({
  cellsPerMinute: settings.COMPUTED_CELLS_PER_MINUTE,
  cellsPerDay: settings.COMPUTED_CELLS_PER_DAY,
  promptCharacters: settings.COMPUTED_PROMPT_CHARACTERS,
});
