// Creates the methods and lists of a client from the tables of its APIs. rest.ts sends the requests.
import type { Route } from '../../protocol/route.ts';
import type { PageMeta } from '../../protocol/types/query.ts';
import { NetworkError } from '../core/errors.ts';
import { type Items, paginate } from '../core/pages.ts';
import type { ClientOptions } from './client-options.ts';
import { createRest, type Rest, type RestCallOptions, type RestOperation } from './rest.ts';

/** The routes of one API and their requirements: a table of operations/. */
export interface ApiTable {
  /** The id that the server needs. */
  needs: 'workspaceId' | 'botId' | undefined;
  /** Operations that need only the token. */
  tokenOnly: readonly string[];
  routes: Record<string, Route>;
  /** The list operations, and the key of the response that contains the items. */
  lists: Record<string, string>;
}

/** The input is optional if all its fields are optional. */
export type Arguments<Input> =
  Record<never, never> extends Input
    ? [input?: Input, options?: RestCallOptions]
    : [input: Input, options?: RestCallOptions];

/** The arguments of a list. The iteration sets the page token: with a fixed one it would never end. */
export type ListArguments<Input> = Arguments<Omit<Input, 'nextToken'> & { nextToken?: never }>;

/** A client with these methods and lists. */
export type ApiClient<Methods, Lists> = ApiClientBase &
  Methods & {
    /**
     * Lists as async iterables over all pages, with `.collect({limit})`. Each page is fetched when it is needed.
     * @throws TypeError for an input with a `nextToken`.
     */
    readonly list: Lists;
  };

class ApiClientBase {
  /** For methods that need several requests. */
  protected readonly rest: Rest;

  constructor(options: ClientOptions, apis: readonly ApiTable[], isOfSession = false) {
    this.rest = createRest(options, isOfSession);
    const list: Record<string, unknown> = {};
    const methods: Record<string, unknown> = { list };
    for (const { needs, routes, lists, tokenOnly } of apis) {
      const operationOf = (name: string): RestOperation => ({
        name,
        route: routes[name] as Route,
        needs: tokenOnly.includes(name) ? undefined : needs,
        all: routes,
      });
      for (const name of Object.keys(routes)) {
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
      throw new TypeError(
        `${operation.name}: the iteration sets nextToken. To fetch one page, call the method.`,
      );
    }
    return paginate(async (nextToken) => {
      const page = await this.rest.call(operation, { ...input, ...(nextToken && { nextToken }) }, options);
      const { [key]: items, meta = {} } = page as Record<string, unknown> & { meta?: PageMeta };
      if (!Array.isArray(items)) throw new NetworkError(`The answer has no list of ${key}.`);
      // If the server returned the token of the same page, the iteration would never end.
      if (nextToken && meta.nextToken === nextToken) throw new NetworkError('The list leads to itself.');
      return { items, meta };
    });
  }
}

// The methods of the tables are added at run time, so the subclasses supply the complete type.
export const ApiClient = ApiClientBase as unknown as {
  new <Methods, Lists>(
    options: ClientOptions,
    apis: readonly ApiTable[],
    isOfSession?: boolean,
  ): ApiClient<Methods, Lists>;
};
