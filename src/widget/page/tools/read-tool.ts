// Reads a tool that code of the page has given: an object of any shape, whose fields can throw.

import { clientLimits as most } from '../../../protocol/interrupts.ts';
import { isDeeper } from '../../../protocol/json-schema.ts';
import type { PageTool } from '../../../protocol/page-api/page-api.ts';
import type { ClientTool } from '../../../protocol/types/interrupts.ts';

/** A tool of the page that is valid. */
export interface KnownTool {
  /** As it is sent: nothing else of the page's object. */
  sent: ClientTool;
  execute: PageTool['execute'];
  /** Registered with the browser by other code: it is not called if it was changed after the visitor was asked. */
  isForeign?: boolean;
}

/** Levels of a schema: a body is nested in at most a hundred. */
const maxDepth = 64;

/** Returns what is wrong with a tool as a text. Never throws. */
export function readTool(input: unknown): KnownTool | string {
  try {
    const { name, title, description, inputSchema, annotations, execute } = Object(input) as PageTool;
    if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name))
      return `a name has 1 to ${most.name} letters, digits, "_" or "-".`;
    if (typeof description !== 'string' || description === '' || typeof execute !== 'function')
      return `the tool ${name} needs a description and a function execute.`;
    const schema: unknown =
      inputSchema === undefined ? undefined : JSON.parse(JSON.stringify(inputSchema) ?? 'null');
    if (schema !== undefined && !isSchema(schema))
      return `the inputSchema of ${name} is not the JSON Schema of an object, with at most ${maxDepth} levels.`;
    const { readOnlyHint, untrustedContentHint } = Object(annotations) as Record<string, unknown>;
    const hints = {
      ...(readOnlyHint === true ? { readOnlyHint } : {}),
      ...(untrustedContentHint === true ? { untrustedContentHint } : {}),
    };
    const sent: ClientTool = {
      name,
      ...(typeof title === 'string' && title !== '' ? { title: title.slice(0, most.title) } : {}),
      description,
      ...(schema === undefined ? {} : { inputSchema: schema as Record<string, unknown> }),
      ...(Object.keys(hints).length > 0 ? { annotations: hints } : {}),
    };
    return { sent, execute };
  } catch {
    return 'a tool cannot be read, or its inputSchema is not JSON.';
  }
}

const isSchema = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  !Array.isArray(schema) &&
  ['object', undefined].includes((schema as { type?: string }).type) &&
  !isDeeper(schema, maxDepth);
