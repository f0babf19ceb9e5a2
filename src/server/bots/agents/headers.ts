// The headers that an operator can add to the requests to an agent.

/** Headers of the connection and of the body, which the server sets itself. */
const ownHeaders = [
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether a header has a valid name (RFC 9110, 5.1) and a value of printable ASCII characters. */
export const isAllowedHeader = (name: string, value: unknown): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) &&
  !ownHeaders.includes(name.toLowerCase()) &&
  typeof value === 'string' &&
  /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value);
