// The settings of limits (quotas of visitors, disk reserve, streams of one address), of stopping the server, and of its metrics.
import * as v from 'valibot';
import { matching, type Setting, setting, wholeNumber } from '../startup/setting.ts';

/** The owner whose usage is counted. An address is an IPv4 address or an IPv6 /64. */
export type QuotaScope = 'user' | 'conversation' | 'bot' | 'address';
/** The counted units. */
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

/** The settings of the quotas of visitors and of the disk reserve. */
export const quotaSettings = {
  ...quotaTable,
  DISK_RESERVE_BYTES: {
    doc: 'Bytes of free disk space below which new data of visitors and uploads are rejected (507); `0` for no reserve.',
    default: '500000000',
    schema,
  },
} satisfies Record<string, Setting<number>>;

/** Streams of one address, metrics, and the stop of the server. */
export const operationSettings = {
  MAX_STREAMS_PER_ADDRESS: setting({
    doc: 'Open streams of one address; an IPv6 `/48` can have four times as many. Each open chat and each open inbox uses one. Raise it if many visitors share one address.',
    default: '1000',
    schema: wholeNumber(1, 999_999),
  }),
  METRICS: setting({
    doc: '`off`, or the address and the port at which Prometheus reads the metrics of this process, such as `127.0.0.1:9464` ([guide](../guides/self-hosting.md#metrics)). Everybody who reaches this port can read them.',
    default: 'off',
    schema: v.pipe(
      matching(
        /^(?:off|(?:\[[\da-fA-F:]+\]|[\w.-]+):\d{1,5})$/,
        'must be `off`, or an address and a port such as `127.0.0.1:9464`',
      ),
      v.transform(addressOf),
      v.check((address) => address === undefined || address.port <= 65_535, 'must have a port up to 65535'),
    ),
  }),
  DRAIN_DELAY: setting({
    doc: 'Seconds between `SIGTERM`, when `/readyz` becomes 503, and the end of new connections. With several processes behind a load balancer, use a value that is longer than two of its health checks, such as `5` ([stop the server](../guides/self-hosting.md#stop-the-server)).',
    default: '0',
    schema: wholeNumber(0, 600),
  }),
  DRAIN_TIMEOUT: setting({
    doc: 'Seconds that running bot code and running requests have to finish when the server stops.',
    default: '10',
    schema: wholeNumber(0, 600),
  }),
};

/** The address of a setting; undefined for `off`. */
function addressOf(text: string): { host: string; port: number } | undefined {
  if (text === 'off') return undefined;
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}
