// The settings of the widget: its configuration, and its earlier versions.
import * as v from 'valibot';
import { setting, wholeNumber } from '../startup/setting.ts';

export const webchatSettings = {
  CONFIGURATION: setting({
    doc: 'Path of a JSON file with the dashboard configuration of the widget; fields that an administrator has stored take precedence.',
    defaultDoc: '`{}`',
    schema: v.string(),
  }),
  WEBCHAT_KEEP_VERSIONS: setting({
    doc: 'Months that the widget of an earlier version remains at `/webchat/VERSION/` after an upgrade. The last three minor versions always remain; with `0` only they do.',
    default: '12',
    schema: wholeNumber(0, 1_200),
  }),
};
