// Writes custom-elements.json, the manifest of the element for editors and catalogues (Custom Elements Manifest 2.1), from the tables
// of the configuration and of the events. e2e/packages/element.spec.ts compares it with the element in a browser.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFieldNotes } from '../../pages/playground/controls/field-notes.ts';
import { secretFields } from '../../protocol/page-api/config.ts';
import { fields } from '../../protocol/page-api/config-layers.ts';
import { flag, type Kind, unsupported } from '../../protocol/page-api/field-kinds.ts';
import { eventNames } from '../../protocol/page-api/page-names.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Attributes of the element itself, as docs/guides/element.md describes them. */
const own = {
  'chat-url': ['string', 'The address of the chat.', 'chatUrl'],
  instance: ['string', 'Tells several chats of one address apart.'],
  placement: ["'floating' | 'inline' | 'page'", 'Where the chat is drawn. Default: `floating`.'],
  open: ['boolean', 'Whether the window is open; follows the window.', 'open'],
  src: ['string', 'A pinned file instead of `{chat-url}/webchat.js`.'],
  integrity: ['string', 'The hash of the pinned file.'],
  manual: ['boolean', 'Starts nothing until it is removed.'],
} as const;

function typeOf(kind: Kind): string {
  if (kind === flag) return 'boolean';
  if (typeof kind !== 'object') return 'string';
  if ('values' in kind) return kind.values.map((value) => `'${value}'`).join(' | ');
  return 'min' in kind ? 'number' : 'string';
}

const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** As the element names them: `webchat:opened` is `webchat-opened`, `customEvent` is `webchat-custom-event`. */
function eventOf(type: string): string {
  const name = dashed(type.replace(':', '-'));
  return name.startsWith('webchat-') ? name : `webchat-${name}`;
}

function manifest(): object {
  const notes = readFieldNotes(read('../../protocol/page-api/configuration.ts')).flatMap(
    (group) => group.notes,
  );
  const configuration = notes
    .filter(({ name }) => !secretFields.includes(name) && fields[name][0] !== unsupported)
    .map(({ name, text, isDeprecated }) => ({
      name: dashed(name),
      type: { text: typeOf(fields[name][0]) },
      description: text,
      ...(isDeprecated && { deprecated: true }),
    }));
  const attributes = Object.entries(own).map(([name, [type, description, fieldName]]) => ({
    name,
    type: { text: type },
    description,
    ...(fieldName && { fieldName }),
  }));
  const field = (name: string, type: string, description: string, extra: object = {}) => {
    return { kind: 'field', name, type: { text: type }, description, ...extra };
  };
  const declaration = {
    kind: 'class',
    name: 'WebchatElement',
    tagName: 'platform-webchat',
    customElement: true,
    description: 'A chat as part of the HTML of a page.',
    superclass: { name: 'HTMLElement' },
    attributes: [...attributes, ...configuration],
    members: [
      field('chatUrl', 'string | null', 'The address of the chat.', {
        attribute: 'chat-url',
        reflects: true,
      }),
      field('open', 'boolean', 'Whether the window is open.', { attribute: 'open', reflects: true }),
      field('configuration', 'Configuration | undefined', 'Fields of the configuration.'),
      field('user', 'WebchatUserFields | undefined', 'The profile of the visitor.'),
      field(
        'getUserKey',
        '(() => string | Promise<string>) | undefined',
        'Returns a user key of the visitor, whenever the chat needs one.',
      ),
      field('platform', 'Platform | undefined', 'The methods of the chat, after `webchat-initialized`.', {
        readonly: true,
      }),
      field('ready', 'Promise<Platform>', 'The methods of the chat, as soon as it is initialized.', {
        readonly: true,
      }),
    ],
    // `analytics` is for `platform.on` only: its code is loaded for its handlers.
    events: Object.keys(eventNames)
      .filter((type) => type !== 'analytics')
      .sort()
      .map((type) => ({
        name: eventOf(type),
        type: { text: 'CustomEvent' },
        description: `\`detail\` is what \`platform.on('${type}')\` passes. Does not bubble.`,
      })),
    slots: [{ name: '', description: 'Shown until the chat is there, and when it cannot load.' }],
  };
  const path = 'lib/packages/widget/element.js';
  const { name } = declaration;
  const exports = [
    { kind: 'js', name, declaration: { name, module: path } },
    { kind: 'custom-element-definition', name: declaration.tagName, declaration: { name, module: path } },
  ];
  return {
    schemaVersion: '2.1.0',
    modules: [{ kind: 'javascript-module', path, declarations: [declaration], exports }],
  };
}

test('custom-elements.json is current (npm run generate writes it)', async () => {
  await expect(`${JSON.stringify(manifest(), null, 2)}\n`).toMatchFileSnapshot('./custom-elements.json');
});

test('the guide describes each attribute of the element itself', () => {
  const guide = read('../../../docs/guides/element.md');
  for (const name of Object.keys(own)) expect(guide).toContain(`\`${name}\``);
});
