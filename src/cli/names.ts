// Finds what an argument names: a resource by its id, or else the only one with this name.
import type { Client } from '../client/index.ts';
import type { Bot, Member, Token, Workspace } from '../protocol/admin/admin.ts';
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
async function findOne<T extends { id: string }>(
  idOrName: string,
  { noun, list, items, nameOf }: Search<T>,
): Promise<T> {
  const named: T[] = [];
  for await (const item of items) {
    if (item.id === idOrName) return item;
    if (nameOf(item) === idOrName) named.push(item);
  }
  const [only, another] = named;
  const capital = noun.charAt(0).toUpperCase() + noun.slice(1);
  if (!only) {
    throw new CliError(
      `${capital} '${idOrName}' not found. \`platform-webchat ${list}\` lists the ${noun}s.`,
    );
  }
  if (another) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new CliError(`${named.length} ${noun}s have this name. Pass one of their ids: ${ids}.`);
  }
  return only;
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
