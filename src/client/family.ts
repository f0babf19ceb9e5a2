// Makes the methods and lists of a client from the tables of its API families. What a request is, rest.ts knows.
import type { Route } from '../protocol/operations.ts';
import type { PageMeta } from '../protocol/page.ts';
import type { ClientOptions } from './client-options.ts';
import { NetworkError } from './errors.ts';
import { type Items, walk } from './pages.ts';
import { createRest, type Rest, type RestCallOptions, type RestOperation } from './rest.ts';

/** Operation -> its input and output. */
type Operations<Ops> = { [O in keyof Ops]: [object, object] };

/** The operations that list, and the key of their answer that holds the items. */
type Lists<Ops extends Operations<Ops>> = {
  [O in keyof Ops as O extends `list${string}` ? O : never]: Exclude<keyof Ops[O][1], 'meta'>;
};

/** An API family as the client needs it: `Ops` says what goes in and out, the value says how. */
export interface Family<Ops extends Operations<Ops>> {
  needs: 'workspaceId' | 'botId';
  /** Operations that need no more than the token. */
  tokenOnly?: readonly (keyof Ops)[];
  operations: Record<keyof Ops, Route>;
  lists: Lists<Ops>;
}

/** The input may be left out where nothing in it has to be there. */
type Arguments<Input> =
  Record<never, never> extends Input
    ? [input?: Input, options?: RestCallOptions]
    : [input: Input, options?: RestCallOptions];

/** The walk sets the token itself: with a fixed one it would go over one page for ever. */
type Unpaged<Input> = Omit<Input, 'nextToken'> & { nextToken?: never };
type Item<Page, Key> = Key extends keyof Page
  ? Page[Key] extends readonly (infer One)[]
    ? One
    : never
  : never;
type Bare<O> = O extends `list${infer Name}` ? Uncapitalize<Name> : never;

/** Every operation as a method. */
export type Methods<Ops extends Operations<Ops>> = {
  [O in keyof Ops]: (...given: Arguments<Ops[O][0]>) => Promise<Ops[O][1]>;
};
/** Every list operation as a walk over its items: `listBots` is `list.bots`. */
export type ListMethods<Ops extends Operations<Ops>> = {
  [O in keyof Lists<Ops> & keyof Ops as Bare<O>]: (
    ...given: Arguments<Unpaged<Ops[O][0]>>
  ) => Items<Item<Ops[O][1], Lists<Ops>[O]>>;
};

/** A client of the families whose operations are `Ops`. */
export type FamilyClient<Ops extends Operations<Ops>> = FamilyCaller &
  Methods<Ops> & {
    /**
     * Lists as async iterables over all pages, with `.collect({limit})`. Pages are fetched as they are asked for.
     * @throws TypeError for an input with a `nextToken`.
     */
    readonly list: ListMethods<Ops>;
  };

class FamilyCaller {
  /** For what is more than one call. */
  protected readonly rest: Rest;

  constructor(options: ClientOptions, families: readonly AnyFamily[]) {
    this.rest = createRest(options);
    const list: Record<string, unknown> = {};
    const methods: Record<string, unknown> = { list };
    for (const { needs, operations, lists, tokenOnly = [] } of families) {
      const operationOf = (name: string): RestOperation => ({
        name,
        route: operations[name] as Route,
        needs: tokenOnly.includes(name) ? undefined : needs,
        all: operations,
      });
      for (const name of Object.keys(operations)) {
        const operation = operationOf(name);
        methods[name] = (input?: object, options?: RestCallOptions) =>
          this.rest.call(operation, input, options);
      }
      for (const [name, key] of Object.entries(lists)) {
        const operation = operationOf(name);
        list[name.charAt(4).toLowerCase() + name.slice(5)] = (input?: object, options?: RestCallOptions) =>
          this.#items(operation, key, input, options);
      }
    }
    Object.assign(this, methods);
  }

  #items(
    operation: RestOperation,
    key: string,
    input: object = {},
    options?: RestCallOptions,
  ): Items<unknown> {
    if ((input as { nextToken?: unknown }).nextToken !== undefined) {
      throw new TypeError(`${operation.name}: nextToken is set by the walk; call the method for one page.`);
    }
    return walk(async (nextToken) => {
      const page = await this.rest.call(operation, { ...input, ...(nextToken && { nextToken }) }, options);
      const { [key]: items, meta = {} } = page as Record<string, unknown> & { meta?: PageMeta };
      if (!Array.isArray(items)) throw new NetworkError(`The answer has no list of ${key}.`);
      // A server that gives the page's own token again would be asked for ever.
      if (nextToken && meta.nextToken === nextToken) throw new NetworkError('The list leads to itself.');
      return { items, meta };
    });
  }
}

/** A family, its operations' types forgotten. */
interface AnyFamily {
  needs: 'workspaceId' | 'botId';
  tokenOnly?: readonly string[];
  operations: Record<string, Route>;
  lists: Record<string, string>;
}

// The methods of the tables are added at run time, so the class is given its whole types by who extends it.
export const FamilyBase = FamilyCaller as unknown as {
  new <Ops extends Operations<Ops>>(
    options: ClientOptions,
    families: readonly AnyFamily[],
  ): FamilyClient<Ops>;
};
