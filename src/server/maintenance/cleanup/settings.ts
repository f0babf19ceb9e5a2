// The settings of how long data is kept.
import { type SettingsOf, setting, wholeNumber } from '../../startup/setting.ts';

export const retentionSettings = {
  RETENTION_DAYS: setting({
    doc: 'Days after which inactive conversations, visitors without a conversation, and files and unused e-mail addresses of visitors are deleted; `0` keeps everything. Bots can have other periods (`bots retention`).',
    default: '0',
    schema: wholeNumber(0, 99_999),
  }),
  AUDIT_RETENTION_DAYS: setting({
    doc: 'Days that the audit trail of administrator actions is kept.',
    default: '365',
    schema: wholeNumber(1, 99_999),
  }),
};

export type RetentionSettings = SettingsOf<typeof retentionSettings>;
