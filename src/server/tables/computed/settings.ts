// The settings of what computed columns may cost.
import { type SettingsOf, setting, wholeNumber } from '../../startup/setting.ts';

export const computedSettings = {
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

export type ComputedSettings = SettingsOf<typeof computedSettings>;
