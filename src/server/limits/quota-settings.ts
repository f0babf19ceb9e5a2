// The settings of the quotas of visitors and of the disk reserve: one table of name, default, documentation, scope and
// unit.
import { type Setting, wholeNumber } from '../startup/setting.ts';

/** The owner whose usage is counted. An address is an IPv4 address or an IPv6 /64. */
export type QuotaScope = 'user' | 'conversation' | 'bot' | 'address';
/** What is counted. */
export type QuotaUnit = 'messages' | 'bytes' | 'files' | 'users' | 'conversations' | 'mails';
/** `stored`: counts the stored data; otherwise the data that was sent in this clock hour or UTC day. */
export type QuotaPeriod = 'hour' | 'day' | 'stored';

export interface Quota extends Setting<number> {
  default: string;
  scope: QuotaScope;
  unit: QuotaUnit;
  period: QuotaPeriod;
}

const schema = wholeNumber(0, 999_999_999_999_999);

function quota(scope: QuotaScope, unit: QuotaUnit, period: QuotaPeriod, limit: number): Quota {
  const sendOrReceive = scope === 'conversation' ? 'receive' : 'send';
  const verb = unit === 'users' || unit === 'conversations' ? 'create' : sendOrReceive;
  const action =
    period === 'stored' ? 'have stored' : `${verb} in ${period === 'hour' ? 'an hour' : 'a day'}`;
  const name = scope === 'bot' ? 'all visitors of one bot' : `one ${scope}`;
  const unitName = unit[0]?.toUpperCase() + unit.slice(1);
  return {
    doc: `${unitName} that ${name} can ${action}; \`0\` for no limit.`,
    default: String(limit),
    scope,
    unit,
    period,
    schema,
  };
}

/** Every quota by the name of its setting. */
export const quotaTable = {
  QUOTA_USER_MESSAGES_HOUR: quota('user', 'messages', 'hour', 1_000),
  QUOTA_USER_BYTES_HOUR: quota('user', 'bytes', 'hour', 250_000_000),
  QUOTA_USER_MESSAGES: quota('user', 'messages', 'stored', 100_000),
  QUOTA_USER_BYTES: quota('user', 'bytes', 'stored', 1_000_000_000),
  QUOTA_USER_FILES: quota('user', 'files', 'stored', 1_000),
  QUOTA_CONVERSATION_MESSAGES_HOUR: quota('conversation', 'messages', 'hour', 2_000),
  QUOTA_CONVERSATION_BYTES_HOUR: quota('conversation', 'bytes', 'hour', 100_000_000),
  QUOTA_CONVERSATION_MESSAGES: quota('conversation', 'messages', 'stored', 100_000),
  QUOTA_CONVERSATION_BYTES: quota('conversation', 'bytes', 'stored', 500_000_000),
  QUOTA_BOT_MESSAGES_HOUR: quota('bot', 'messages', 'hour', 500_000),
  QUOTA_BOT_BYTES_HOUR: quota('bot', 'bytes', 'hour', 20_000_000_000),
  QUOTA_BOT_MESSAGES: quota('bot', 'messages', 'stored', 100_000_000),
  QUOTA_BOT_BYTES: quota('bot', 'bytes', 'stored', 100_000_000_000),
  QUOTA_BOT_FILES: quota('bot', 'files', 'stored', 1_000_000),
  QUOTA_ADDRESS_MESSAGES_HOUR: quota('address', 'messages', 'hour', 20_000),
  QUOTA_ADDRESS_BYTES_HOUR: quota('address', 'bytes', 'hour', 2_000_000_000),
  QUOTA_ADDRESS_MESSAGES_DAY: quota('address', 'messages', 'day', 100_000),
  QUOTA_ADDRESS_BYTES_DAY: quota('address', 'bytes', 'day', 5_000_000_000),
  QUOTA_ADDRESS_USERS_HOUR: quota('address', 'users', 'hour', 500),
  QUOTA_ADDRESS_CONVERSATIONS_HOUR: quota('address', 'conversations', 'hour', 1_000),
  QUOTA_ADDRESS_MAILS_HOUR: {
    ...quota('address', 'mails', 'hour', 20),
    doc: 'Mails with links to unconfirmed e-mail addresses that the visitors of one network address can request in an hour; `0` for no limit.',
  },
};

export type QuotaName = keyof typeof quotaTable;

/** Limits by setting; a missing one or 0 means unlimited. */
export type QuotaLimits = Partial<Record<QuotaName, number>>;

/** The rows of these settings for settings.ts. */
export const quotaSettings = {
  ...quotaTable,
  DISK_RESERVE_BYTES: {
    doc: 'Bytes of free disk space below which new data of visitors and uploads are rejected (507); `0` for no reserve.',
    default: '500000000',
    schema,
  },
} satisfies Record<string, Setting<number>>;
