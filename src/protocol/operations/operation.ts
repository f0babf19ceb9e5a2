// The declaration of an API operation. Routes, validation, client methods, OpenAPI and tests are derived from it.
import type * as v from 'valibot';
import type { ErrorType } from '../error.ts';
import type { Permission } from '../permissions.ts';
import type { Method, Route } from '../route.ts';

export type { Method, Route } from '../route.ts';

/** A request header that an operation reads itself. No such header is required. */
export interface OperationHeader {
  name: string;
  description: string;
  /**
   * Not part of the request's fingerprint, and not a field of the client's input: a repeated request may contain another
   * value, such as another proof.
   */
  isVolatile?: true;
}

interface Common {
  /** The name in the OpenAPI document, if an operation of another API already has the name of the client method. */
  id?: string;
  route: Route;
  /** One or more sentences: the OpenAPI summary and the doc comment of the client method. */
  summary: string;
  /** The status of a success. Default: 200. */
  status?: 200 | 201;
  /** Errors in addition to those that all operations of its kind share. */
  errors?: readonly ErrorType[];
  headers?: readonly OperationHeader[];
  /** The schema of the query of a GET or DELETE, of the body of a POST, PUT or PATCH. Path parameters are in `route`. */
  input?: v.GenericSchema;
  /** The body or the response contains a password or a sign-in link: `Idempotency-Key` is ignored, and nothing of it stored. */
  hasSecrets?: true;
  /**
   * It can read megabytes from the database: while it runs, it counts as many requests of the rate limit, and then by what it has
   * read.
   */
  isHeavy?: true;
  /** Which quota of the caller's network is checked before the body is read. */
  quota?: 'users' | 'conversations' | 'messages';
  /**
   * Valid inputs, path parameters included. `<<name>>` is a placeholder for the id of an existing resource; the tests
   * that send the examples replace it.
   */
  examples?: readonly Readonly<Record<string, unknown>>[];
  /** The request in the reference, if it is another one than the first example, which may contain what only tests need. */
  sample?: Readonly<Record<string, unknown>>;
}

/**
 * How an operation identifies its caller: `none` needs no key, `key` accepts any valid user key (the user may not exist
 * yet), `user` requires the key of an existing user; `token` accepts any token, `workspace` one for the workspace of
 * `x-workspace-id`, `bot` one for the bot of `x-bot-id`; `session` a member who has signed in. In an API with sessions,
 * `token` and `workspace` also accept the session of a member.
 * Callers with a token of a workspace or a bot need the permission; null if the handler decides.
 */
type Access =
  | { auth: 'none' | 'token' | 'session'; permission?: never }
  | UserAccess<'key' | 'user'>
  | { auth: 'workspace' | 'bot'; permission: Permission | null };

interface UserAccess<Auth> {
  auth: Auth;
  permission?: never;
  /**
   * Whether a key that is limited to one conversation may call it: that of a link in a mail, which can be passed on. False for
   * what concerns the user or other conversations, such as the address for mails, to which the answers of all conversations
   * are sent.
   */
  limitedKeys: boolean;
}

/** An operation that responds with JSON. */
export type Declaration = Common & Access & { output: v.GenericSchema };
/** An operation that responds with the signals of a conversation. */
export type StreamDeclaration = Common & UserAccess<'user'> & { output?: never };
/** An operation that responds with the signals of the team of a workspace. */
export type TeamStreamDeclaration = Common & { auth: 'workspace'; permission: Permission; output?: never };

/** An operation that only reads. */
export const query = <const D extends Declaration>(declaration: D) =>
  ({ ...declaration, kind: 'query' }) as const;
/** An operation that writes, in one transaction. */
export const mutation = <const D extends Declaration>(declaration: D) =>
  ({ ...declaration, kind: 'mutation' }) as const;
/** An operation that responds with the stream of a conversation. */
export const subscription = <const D extends StreamDeclaration>(declaration: D) =>
  ({ ...declaration, kind: 'subscription' }) as const;

/** An operation that responds with the stream of a team. */
export const teamSubscription = <const D extends TeamStreamDeclaration>(declaration: D) =>
  ({ ...declaration, kind: 'teamSubscription' }) as const;

type Declared =
  | (Declaration & { kind: 'query' | 'mutation' })
  | (StreamDeclaration & { kind: 'subscription' })
  | (TeamStreamDeclaration & { kind: 'teamSubscription' });

/** The properties that are derived from the route and the key of a declaration. */
export interface Derived<Name extends string = string> {
  /** The name of the client method. */
  name: Name;
  id: string;
  method: Method;
  /** The path below the base of the API; '' for the base itself. */
  path: string;
  status: 200 | 201;
  errors: readonly ErrorType[];
}

/** A declared operation, independent of its types. */
export type Operation = Declared & Derived;

type Named<T> = { readonly [K in keyof T & string]: T[K] & Derived<K> };

/** Names the operations of a noun by their keys. */
export function operations<const T extends Record<string, Declared>>(table: T): Named<T> {
  const named = Object.entries(table).map(([name, declaration]) => {
    const [method = '', path = ''] = declaration.route.split(' ');
    const derived = { id: name, status: 200, errors: [], ...declaration, name, method };
    return [name, { ...derived, path: path === '/' ? '' : path }];
  });
  // The type of Object.fromEntries does not contain the keys.
  return Object.fromEntries(named) as Named<T>;
}

/** Whether `input` is the body of the request, and not its query. */
export const hasBody = ({ method, input }: Operation): boolean =>
  input !== undefined && ['POST', 'PUT', 'PATCH'].includes(method);

type Parameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Parameters<Rest>
  : never;
/** The path parameters of an operation, by name. */
export type PathParameters<D extends { route: string }> = { [Name in Parameters<D['route']>]: string };

/** The validated query or body of an operation; undefined if it has none. */
export type Checked<D> = D extends { input: infer S extends v.GenericSchema } ? v.InferOutput<S> : undefined;

/** Headers that a client sends as fields of the input. */
type HeaderInput<D> = D extends { headers: readonly (infer H)[] }
  ? H extends { isVolatile: true }
    ? unknown
    : H extends { name: infer Name extends string }
      ? { [N in Name]?: string }
      : unknown
  : unknown;

type Simplify<T> = { [K in keyof T]: T[K] };

/** Input of an operation in the client: path parameters, then query or body. */
export type Input<D extends { route: string }> = D extends { input: v.GenericSchema }
  ? Checked<D> extends infer Fields
    ? Fields extends unknown
      ? Simplify<PathParameters<D> & Fields & HeaderInput<D>>
      : never
    : never
  : Simplify<PathParameters<D> & HeaderInput<D>>;

/** The response of an operation. */
export type Output<D> = D extends { output: infer S extends v.GenericSchema } ? v.InferOutput<S> : never;
