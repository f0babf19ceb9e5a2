// Parses an OpenAPI document into the model of the page: groups, operations, schemas.
import { fold } from '../../protocol/locale/folding.ts';

/** The part of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  description?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  /** A realistic value. */
  example?: unknown;
}

/** A body by its media type. */
export interface Content {
  type: string;
  schema: Schema;
  /** A realistic value. */
  example?: unknown;
}

export interface ApiResponse {
  status: string;
  description: string;
  content?: Content;
}

export interface Operation {
  /** The name in clients, and in the URL of this page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  permission?: string;
  parameters: Parameter[];
  body?: Content & { required: boolean };
  responses: ApiResponse[];
}

export interface Group {
  name: string;
  title: string;
  description: string;
  operations: Operation[];
}

export interface Reference {
  groups: Group[];
  /** The named schemas. */
  schemas: Record<string, Schema>;
}

interface Described {
  operationId?: string;
  tags?: string[];
  summary?: string;
  'x-permission'?: string;
  security?: Record<string, unknown>[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema; example?: unknown }> };
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>;
}
interface SecurityScheme {
  type: string;
  name?: string;
  description?: string;
}
export interface OpenApi {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Described>>;
  components: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, SecurityScheme>;
  };
}

const methods = ['get', 'put', 'post', 'patch', 'delete', 'head'];

/** Groups the operations of a document by their tags, in its order. */
export function readDocument(document: OpenApi): Reference {
  const { tags = [], paths, components } = document;
  const groups = new Map<string, Group>(
    tags.map(({ name, description = '' }) => {
      const [, title = name, text = ''] = /^([^:]+): (.*)$/.exec(description) ?? [];
      return [name, { name, title, description: text, operations: [] }];
    }),
  );
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const described = item[method];
      if (described)
        groups.get(described.tags?.[0] ?? '')?.operations.push(read(described, method, path, components));
    }
  }
  return {
    groups: [...groups.values()].filter(({ operations }) => operations.length > 0),
    schemas: components.schemas ?? {},
  };
}

function read(
  described: Described,
  method: string,
  path: string,
  components: OpenApi['components'],
): Operation {
  const {
    operationId,
    summary = '',
    parameters = [],
    security = [],
    requestBody,
    responses = {},
  } = described;
  const permission = described['x-permission'];
  const named = parameters.map((parameter) =>
    parameter.$ref ? components.parameters?.[lastOf(parameter.$ref)] : parameter,
  );
  const body = contentOf(requestBody?.content);
  return {
    id: operationId ?? `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    summary,
    ...(permission ? { permission } : {}),
    parameters: [...headersOf(security, components), ...named.filter((parameter) => parameter !== undefined)],
    ...(body ? { body: { ...body, required: requestBody?.required ?? false } } : {}),
    responses: Object.entries(responses).map(([status, { description = '', content }]) => {
      const responseContent = contentOf(content);
      return { status, description, ...(responseContent ? { content: responseContent } : {}) };
    }),
  };
}

/** The authentication headers of a request. */
function headersOf(
  security: Described['security'] = [],
  { securitySchemes = {} }: OpenApi['components'],
): Parameter[] {
  return security
    .flatMap((requirement) => Object.keys(requirement))
    .map((name) => {
      const { type, name: header, description = '' } = securitySchemes[name] ?? { type: 'http' };
      const isBearer = type === 'http';
      return {
        name: isBearer ? 'authorization' : (header ?? name),
        in: 'header' as const,
        required: true,
        description: isBearer ? `Bearer and the token. ${description}` : description,
        schema: { type: 'string' },
      };
    });
}

function contentOf(
  content: Record<string, { schema?: Schema; example?: unknown }> = {},
): Content | undefined {
  const [first] = Object.entries(content);
  if (!first) return undefined;
  const [type, { schema = {}, ...rest }] = first;
  return { type, schema, ...rest };
}

const lastOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** Returns the operations whose texts contain every term of the query. */
export function search(groups: readonly Group[], query: string): Group[] {
  const terms = fold(query).split(' ').filter(Boolean);
  const fits = ({ title }: Group, { id, method, path, summary, permission = '' }: Operation) => {
    const text = fold([title, id, method, path, summary, permission].join(' '));
    return terms.every((term) => text.includes(term));
  };
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => fits(group, operation)),
    }))
    .filter(({ operations }) => operations.length > 0);
}
