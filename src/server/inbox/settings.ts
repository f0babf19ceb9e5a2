// The settings of the inbox.
import { setting, wholeNumber } from '../startup/setting.ts';

export const inboxSettings = {
  INBOX_ALERT_DELAY: setting({
    doc: 'Minutes that a visitor waits for a person until members are told, by mail, by push and in their chat tool, if none of those who could answer has the inbox open.',
    default: '2',
    schema: wholeNumber(1, 1440),
  }),
};
