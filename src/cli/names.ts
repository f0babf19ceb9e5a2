// Finds what an argument names: a resource by its id, or else the only one with this name.
import type { Client } from '../client/index.ts';
import type { Member, Token, Workspace } from '../protocol/types/admin.ts';
import type { Bot } from '../protocol/types/bots.ts';
import { CliError } from './errors.ts';

interface Search<T> {
  /** As in messages: `bot`. */
  noun: string;
  /** The command that lists all of them. */
  list: string;
  items: AsyncIterable<T>;
  nameOf(item: T): string;
}

/** Throws CliError, with a remedy, if nothing has this id or name, or if several have this name. */
async function findOne<T extends { id: string }>(idOrName: string, search: Search<T>): Promise<T> {
  const only = await findAny(idOrName, search);
  if (only) return only;
  const { noun, list } = search;
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1);
  throw new CliError(`${capital} '${idOrName}' not found. \`platform-webchat ${list}\` lists the ${noun}s.`);
}

/** Returns undefined if nothing has this id or name. Throws CliError if several have this name. */
async function findAny<T extends { id: string }>(
  idOrName: string,
  { noun, items, nameOf }: Omit<Search<T>, 'list'>,
): Promise<T | undefined> {
  const named: T[] = [];
  for await (const item of items) {
    if (item.id === idOrName) return item;
    if (nameOf(item) === idOrName) named.push(item);
  }
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new CliError(`${named.length} ${noun}s have this name. Pass one of their ids: ${ids}.`);
  }
  return named[0];
}

/** True for a text that is an id of this kind, so that no request is needed to find it. */
export const isId = (prefix: 'bot' | 'ws', text: string): boolean =>
  new RegExp(`^${prefix}_[0-9A-Z]{26}$`).test(text);

export const findBot = (client: Client, idOrName: string, signal: AbortSignal): Promise<Bot> =>
  findOne(idOrName, {
    noun: 'bot',
    list: 'bots list',
    items: client.list.bots({}, { signal }),
    nameOf: ({ name }) => name,
  });

export const findWorkspace = (client: Client, idOrName: string, signal: AbortSignal): Promise<Workspace> =>
  findOne(idOrName, {
    noun: 'workspace',
    list: 'workspaces list',
    items: client.list.workspaces({}, { signal }),
    nameOf: ({ name }) => name,
  });

/** The name of a member is the e-mail address. */
export const findMember = (client: Client, idOrEmail: string, signal: AbortSignal): Promise<Member> =>
  findOne(idOrEmail, {
    noun: 'member',
    list: 'members list',
    items: client.list.workspaceMembers({}, { signal }),
    nameOf: ({ email }) => email,
  });

export const findToken = (client: Client, idOrName: string, signal: AbortSignal): Promise<Token> =>
  findOne(idOrName, {
    noun: 'token',
    list: 'tokens list',
    items: client.list.tokens({}, { signal }),
    nameOf: ({ name }) => name,
  });

/** Returns undefined if the bot has no such knowledge base. */
export const findKnowledgeBase = (client: Client, idOrName: string, signal: AbortSignal) =>
  findAny(idOrName, {
    noun: 'knowledge base',
    items: client.list.knowledgeBases({}, { signal }),
    nameOf: ({ name }) => name,
  });
