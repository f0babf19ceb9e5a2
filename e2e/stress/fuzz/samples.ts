// A valid request for every route of the server. Names in << >> are placeholders for test data (test-data.ts). Operations
// come from the server's own tables; only their bodies are written here.

import { apis } from '../../../src/protocol/operations/apis.ts';
import type { Operation } from '../../../src/protocol/operations/operation.ts';

export interface Sample {
  /** The id of the operation, or a description of the route. */
  name: string;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  /** A value to be sent as JSON, or bytes. */
  body?: unknown;
  bytes?: string;
  operation?: Operation;
  /** The expected status, if the test data cannot satisfy the request. */
  refused?: number;
}

const chat = '/chat/demo';
const address = 'https://example.com/a';
const option = { label: 'A', value: 'a' };
const payloads = [
  { type: 'text', text: 'Hello', value: 'hello' },
  { type: 'markdown', markdown: '# Hello' },
  { type: 'image', imageUrl: address, title: 'A', fileId: 'file' },
  { type: 'audio', audioUrl: address },
  { type: 'video', videoUrl: address },
  { type: 'file', fileUrl: address, title: 'a.txt' },
  { type: 'location', latitude: 1.5, longitude: -2, address: 'Here' },
  { type: 'card', title: 'A', subtitle: 'B', actions: [{ action: 'say', label: 'A', value: 'a' }] },
  { type: 'carousel', items: [{ title: 'A', imageUrl: address, actions: [] }] },
  { type: 'choice', text: 'Which?', options: [option], disableFreeText: true },
  { type: 'dropdown', text: 'Which?', options: [option, option] },
  {
    type: 'bloc',
    items: [
      { type: 'text', payload: { text: 'A' } },
      { type: 'audio', audioUrl: address },
    ],
  },
];

/** Bodies by operation; the default for operations with a body is `{}`. */
const bodies: Record<string, unknown[]> = {
  createUser: [{}, { name: 'Ann', pictureUrl: address, profile: '{"a":1}' }],
  getOrCreateUser: [{ name: 'Bea' }],
  updateUser: [{ name: 'Cem' }],
  createConversation: [{}, { id: 'room/of-<<user>>' }],
  getOrCreateConversation: [{ id: 'home/of-<<user>>' }],
  addParticipant: [{ userId: '<<other>>' }],
  createMessage: payloads.map((payload) => ({
    conversationId: '<<conversation>>',
    payload,
    metadata: { clientMessageId: 'a', more: [1, { b: null }] },
  })),
  createEvent: [{ conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } }],
  createFile: [{ key: 'a.txt', size: 10, contentType: 'text/plain' }],
  setFeedback: [{ value: 'negative', comment: 'No' }],
  setTyping: [{ typing: true }, { typing: false }],
  stopStream: [{ streamId: 'stream_1' }],
  upsertFile: [
    {
      key: 'fuzz/<<user>>.md',
      size: 10,
      index: true,
      tags: { a: 'b' },
      metadata: { a: [1, { b: null }] },
      accessPolicies: ['public_content', 'integrations'],
      contentType: 'text/markdown',
    },
  ],
  updateFileMetadata: [
    { tags: { a: null, b: 'c' }, metadata: { a: null }, accessPolicies: [], expiresAt: null },
  ],
  copyFile: [{ overwrite: true }],
  setFilePassages: [{ passages: [{ content: 'Hello', subtype: 'title', pageNumber: 1 }] }],
  createKnowledgeBase: [{ name: 'A', tags: { a: 'b' } }],
  updateKnowledgeBase: [{ name: 'B', tags: { a: null } }],
  createBot: [{ name: 'Shop', webhookUrl: 'https://example.com/hook' }],
  updateBot: [{ name: 'Desk' }],
  revokeUserKeys: [{ userId: '<<other>>' }],
  setBotDeployment: [{ webhookUrl: 'https://example.com/hook' }, { code: null, webhookUrl: null }],
  createWorkspace: [{ name: 'Two', email: 'two@example.com' }],
  updateWorkspace: [{ name: 'One' }],
  createWorkspaceMember: [{ email: 'of-<<user>>@example.com', role: 'developer', displayName: 'Ann' }],
  updateWorkspaceMember: [{ role: 'manager', displayName: null }],
  createToken: [
    { name: 'Laptop', kind: 'personal', expiresAt: '2999-01-01T00:00:00Z' },
    { name: 'Bot', kind: 'bot', botId: '<<bot>>' },
    { name: 'CRM', kind: 'integration', botId: '<<bot>>', integration: 'crm' },
  ],
  addBotParticipant: [{ userId: '<<other>>' }],
  createBotMessage: payloads.map((payload) => ({ conversationId: '<<conversation>>', payload })),
  createBotEvent: [{ conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } }],
  setBotTyping: [{ typing: true }, { typing: false }],
  setVisibility: [{ visibility: 'toggle' }],
  configureWebchat: [{ configuration: { color: '#0a7a5a' } }],
  createStream: [{ conversationId: '<<conversation>>' }],
  callAction: [
    { type: 'webchat:getUserData', input: { userId: '<<user>>' } },
    {
      type: 'webchat:getOrCreateUser',
      input: { name: 'Ann', user: { id: 'agent-of-<<user>>', conversationId: '<<conversation>>' } },
    },
    { type: 'webchat:toggleWebchat', input: { conversationId: '<<conversation>>' } },
    {
      type: 'webchat:configWebchat',
      input: { conversationId: '<<conversation>>', config: '{"color":"#0a7a5a"}' },
    },
    { type: 'webchat:customEvent', input: { conversationId: '<<conversation>>', event: '{"a":[1]}' } },
  ],
  writeStream: [{ delta: 'Hello', position: 0 }],
  endStream: [{}, { payload: { type: 'text', text: 'Hello' }, metadata: { a: 1 } }],
  setBotWebchat: [{ configuration: { color: '#0a7a5a', botName: 'Ann', starters: ['Hi'], radius: 2 } }],
  createTable: [
    { name: 'of-<<user>>Table', schema: { name: 'Ann', age: 3 }, tags: { a: 'b' } },
    { name: 'Table', schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
  ],
  getOrCreateTable: [{ schema: { a: 1 }, factor: 2, keyColumn: 'a' }],
  updateTable: [
    { schema: { type: 'object', properties: { extra: { type: 'number' }, gone: null } } },
    { factor: 2 },
  ],
  renameTableColumn: [{ name: 'name', newName: 'name' }],
  duplicateTable: [{ schemaOnly: true }, {}],
  importTable: [{ fileId: '<<file>>' }],
  findTableRows: [
    {},
    {
      filter: { $or: [{ name: { $regex: '^(a+)+$', $options: 'i' } }, { 'more.x': { $in: [1, null] } }] },
      select: ['name', 'more.x'],
      orderBy: 'age',
      orderDirection: 'desc',
    },
    { search: 'Ann Bea', limit: 2, offset: 1 },
    { group: { name: 'key', age: ['sum', 'unique'] } },
  ],
  createTableRows: [{ rows: [{ name: 'Ann', age: 3, more: { x: [1, { y: null }] } }, { name: 1 }] }],
  updateTableRows: [{ rows: [{ id: 1, age: 4 }] }],
  upsertTableRows: [
    { rows: [{ name: 'Bea', age: 5 }], keyColumn: 'name' },
    { rows: [{ id: 7, name: 'Cem' }] },
  ],
  deleteTableRows: [{ ids: [1, 2] }, { filter: { age: { $gt: 3 } } }, { deleteAllRows: true }],
};

/** The placeholder for a path parameter. */
function parameter({ id, path }: Operation, name: string): string {
  if (id === 'declineInvitation') return '<<invitation>>';
  if (id === 'exportVisitor') return name === 'id' ? '<<demoBot>>' : '<<user>>';
  if (name === 'conversationId') return '<<conversation>>';
  if (name === 'userId') return '<<other>>';
  if (name === 'table') return '<<table>>';
  if (path.startsWith('/workspace-members/')) return '<<member>>';
  if (path.startsWith('/tokens/')) return '<<tokenId>>';
  if (id.endsWith('Feedback')) return '<<botMessage>>';
  if (id.endsWith('KnowledgeBase')) return '<<knowledgeBase>>';
  if (name === 'tag') return 'a';
  if (name === 'destinationKey') return 'copy-<<user>>';
  if (id === 'deleteBotMessage') return '<<botMessage>>';
  if (name === 'eventId') return 'evt_none';
  if (id === 'deleteFile') return 'fuzz%2f<<user>>.md';
  if (name === 'idOrKey' || /File|Passages/.test(id)) return '<<file>>';
  return `<<${path.split('/')[1]?.replace(/s$/, '')}>>`;
}

const key = ['x-user-key', '<<key>>'] as const;
const token = ['authorization', 'Bearer <<token>>'] as const;
const headersOf: Record<Operation['auth'], Sample['headers']> = {
  none: [],
  key: [[...key]],
  user: [[...key]],
  token: [[...token]],
  workspace: [[...token], ['x-workspace-id', '<<workspace>>']],
  bot: [[...token], ['x-bot-id', '<<bot>>']],
};

/** The Runtime API is called for the demo bot, which has conversations. */
const ofDemoBot: Sample['headers'] = [[...token], ['x-bot-id', '<<demoBot>>']];

/** Query strings by operation. */
const queries: Record<string, string> = {
  listTables: '?pageSize=2&tags.a=b',
  getTableRow: '?id=1',
  exportTable: '?format=json&compress=true',
  listFiles:
    '?sortField=size&sortDirection=asc&tags.a.not=b&tags.a.exists=true&ids=<<file>>&indexed=true&pageSize=2',
  searchFiles:
    '?query=hello&tags.a=b&limit=3&contextDepth=2&withContext=true&includeBreadcrumb=true&consolidate=true',
  listFilePassages: '?limit=2',
  listBotMessages: '?conversationId=<<conversation>>&pageSize=2',
  listBotParticipants: '?pageSize=2',
  listBotConversations: '?userId=<<user>>',
  listBotUsers:
    '?conversationId=<<conversation>>&tags.fid=a&afterDate=2020-01-01T00:00:00Z&rangeField=updatedAt&sortField=updatedAt&sortDirection=asc',
};

function ofOperation(operation: Operation, base: string): Sample[] {
  const { id, method, path, auth, input } = operation;
  const common: Sample = {
    name: id,
    method,
    target:
      base +
      path.replace(/\{(\w+)\}/g, (_, name: string) => parameter(operation, name)) +
      (queries[id] ?? ''),
    headers: base === '/v1/chat' ? ofDemoBot : headersOf[auth],
    operation,
    // The managed bot has neither dead letters nor visitors: these requests name those of another bot.
    ...(path.includes('{eventId}') || path.endsWith('/user-keys/revoke') || id === 'deleteVisitor'
      ? { refused: 404 }
      : {}),
    // The workspace of the test data is the first one of the server, which cannot be deleted.
    ...(id === 'deleteWorkspace' ? { refused: 403 } : {}),
  };
  if (!input || !['POST', 'PUT'].includes(method)) return [common];
  return (bodies[id] ?? [{}]).map((one) => ({
    ...common,
    headers: [...common.headers, ['content-type', 'application/json']],
    body: one,
  }));
}

const page = (name: string, target: string, headers: Sample['headers'] = []): Sample => ({
  name,
  method: 'GET',
  target,
  headers,
});
const tus = ['content-type', 'application/offset+octet-stream'] as const;

export const samples: readonly Sample[] = [
  ...apis.flatMap(({ base, operations }) =>
    operations.flatMap((operation) => ofOperation(operation, base.replace('/chat/{webhookId}', chat))),
  ),
  { ...page('upload, how far', '<<upload>>'), method: 'HEAD' },
  {
    ...page('upload, a part', '<<upload>>', [[...tus], ['upload-offset', '0'], ['tus-resumable', '1.0.0']]),
    method: 'PATCH',
    bytes: '01234',
  },
  { ...page('upload, all', '<<upload>>'), method: 'PUT', bytes: '0123456789' },
  { ...page('platform upload, how far', '<<platformUpload>>'), method: 'HEAD' },
  { ...page('platform upload, all', '<<platformUpload>>'), method: 'PUT', bytes: '0123456789' },
  page('platform download', '<<platformDownload>>', [['range', 'bytes=2-4']]),
  page('download', '<<download>>'),
  page('download, a part', '<<download>>', [['range', 'bytes=2-4']]),
  page('download, known', '<<download>>', [['if-none-match', '*']]),
  { ...page('preflight', `${chat}/messages`, [['origin', 'https://example.com']]), method: 'OPTIONS' },
  page('hello', `${chat}/hello`),
  page('openapi.json', `${chat}/openapi.json`),
  page('webchat.js with its configuration', `${chat}/webchat.js`, [['accept-encoding', 'gzip, br;q=0']]),
  page('the chat as a page', `${chat}/page`),
  page('webchat.js', '/webchat/webchat.js', [['accept-encoding', 'br']]),
  page('a font', '/webchat/fonts/a.woff2', [['range', 'bytes=0-1']]),
  page('playground without slash', '/playground'),
  page('playground', '/playground/'),
  page('demo', '/'),
];
