// The fields of payloads as places for values, read from the schemas: tests put any value into each of them.
import { payload } from './payloads.ts';
import type { SchemaNode } from './print-type.testing.ts';

/** A field without items. */
export class Slot {
  /** `card.actions.label`, `bloc.items.image.title` */
  readonly path: string;
  readonly kind: 'string' | 'number' | 'boolean' | 'picklist';
  readonly isOptional: boolean;
  /** The values of a `picklist`. */
  readonly options: readonly string[];

  constructor(path: string, kind: Slot['kind'], isOptional: boolean, options: readonly string[]) {
    this.path = path;
    this.kind = kind;
    this.isOptional = isOptional;
    this.options = options;
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf('.') + 1);
  }

  /** Whether it is the address of a file. */
  get isAddress(): boolean {
    return this.name.endsWith('Url');
  }
}

/** A payload whose fields are slots. A list has one item for each type that it may contain. */
export interface Template {
  type: string;
  [field: string]: unknown;
}

/** Every type of payload. */
export const templates: Template[] = payload.options.map(
  (schema) => templateOf(schema as unknown as SchemaNode, schema.entries.type.literal) as Template,
);

/** `value` for each slot of a template or of a part of one. */
export function fillSlots(template: unknown, value: (slot: Slot) => unknown): unknown {
  if (template instanceof Slot) return value(template);
  if (Array.isArray(template)) return template.map((item) => fillSlots(item, value));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, field]) => [name, fillSlots(field, value)]));
}

/** A value that the schemas accept. */
export const validValue = ({ kind, options: [option], path }: Slot): unknown =>
  ({ string: path, number: 1, boolean: true, picklist: option })[kind];

/** The fields that each type needs, with their types: `string`, `number` or `array`. */
export const neededFields: (readonly [type: string, field: string, kind: string])[] = payload.options.flatMap(
  ({ entries }) =>
    Object.entries(entries).flatMap(([name, { type }]) =>
      name === 'type' || type === 'exact_optional' ? [] : [[entries.type.literal, name, type] as const],
    ),
);

/** All slots of a template. */
export function slotsOf(template: unknown): Slot[] {
  const slots: Slot[] = [];
  fillSlots(template, (slot) => slots.push(slot));
  return slots;
}

function templateOf(schema: SchemaNode, path: string, isOptional = false): unknown {
  const { type, entries = {}, literal, options = [] } = schema;
  switch (type) {
    case 'exact_optional':
      return templateOf(schema.wrapped as SchemaNode, path, true);
    case 'literal':
      return literal;
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(entries).map(([name, entry]) => [name, templateOf(entry, `${path}.${name}`)]),
      );
    case 'array': {
      const item = schema.item as SchemaNode;
      if (item.type !== 'variant') return [templateOf(item, path)];
      return (item.options as SchemaNode[]).map((option) =>
        templateOf(option, `${path}.${option.entries?.type?.literal}`),
      );
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'picklist':
      return new Slot(path, type, isOptional, options as string[]);
    default:
      throw new Error(
        `${path}: payloads have no fields of type ${type} yet. Add it to payload-slots.testing.ts.`,
      );
  }
}
