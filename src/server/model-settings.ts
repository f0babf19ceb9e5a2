// The settings of what computed columns of tables may cost, and their language model.
import type { Agent } from './bots/index.ts';
import { setting, wholeNumber } from './startup/setting.ts';
import type { ComputedLimits, ModelOptions } from './tables/index.ts';

export const modelSettings = {
  COMPUTED_CELLS_PER_MINUTE: setting({
    doc: 'Requests to the model that the computed columns of one bot can make in a minute; `0` for no limit. Further cells wait.',
    default: '60',
    schema: wholeNumber(0, 9_999_999),
  }),
  COMPUTED_CELLS_PER_DAY: setting({
    doc: 'Requests to the model that the computed columns of one bot can make in a day (UTC); `0` for no limit.',
    default: '10000',
    schema: wholeNumber(0, 999_999_999),
  }),
  COMPUTED_PROMPT_CHARACTERS: setting({
    doc: 'Characters of one request for a computed cell: the instructions and the data of the row. A cell that needs more fails. `0` for no limit.',
    default: '16000',
    schema: wholeNumber(0, 99_999_999),
  }),
};

/** The values of these settings. */
export interface ModelSettings {
  COMPUTED_CELLS_PER_MINUTE: number;
  COMPUTED_CELLS_PER_DAY: number;
  COMPUTED_PROMPT_CHARACTERS: number;
}

/** The language model of computed columns: the agent, if it has chat completions. */
export const modelOf = (agent: Agent | undefined): ModelOptions | undefined =>
  agent?.protocol === 'openai-chat' && agent.model !== undefined
    ? { url: agent.url, key: agent.key, headers: agent.headers, model: agent.model, options: agent.options }
    : undefined;

export const readComputedLimits = (settings: ModelSettings): ComputedLimits => ({
  cellsPerMinute: settings.COMPUTED_CELLS_PER_MINUTE,
  cellsPerDay: settings.COMPUTED_CELLS_PER_DAY,
  promptCharacters: settings.COMPUTED_PROMPT_CHARACTERS,
});
