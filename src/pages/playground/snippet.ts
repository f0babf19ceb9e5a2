// The HTML that embeds the chat, in three forms. It contains only fields that are set.
import type { Configuration } from '../../protocol/page-api/config.ts';
import { attributeOf } from '../../protocol/page-api/config-layers.ts';
import { setFields, textOf } from './setup.ts';

export type SnippetForm = 'served' | 'attributes' | 'init';

/** The address of the server, ending in `/`, and the last part of the chat address. */
export interface ChatAddress {
  base: string;
  bot: string;
}

/** The snippet of a form, to paste into a page. */
export function snippetOf(
  form: SnippetForm,
  configuration: Configuration,
  { base, bot }: ChatAddress,
): string {
  const chatUrl = `${base}chat/${bot}`;
  const file = `${base}webchat/webchat.js`;
  if (form === 'served') return `<script ${attribute('src', `${chatUrl}/webchat.js`)} async></script>`;
  if (form === 'init') return initScript(file, { chatUrl, configuration });
  const attributes = [
    attribute('src', file),
    attribute('data-chat-url', chatUrl),
    ...setFields(configuration).map((name) =>
      attribute(attributeOf(name), textOf(name, configuration[name])),
    ),
    'async',
  ];
  return `<script\n  ${attributes.join('\n  ')}\n></script>`;
}

/** The script is not async here: the next one uses `platform`. */
function initScript(
  file: string,
  { chatUrl, configuration }: { chatUrl: string; configuration: Configuration },
): string {
  const changed = Object.fromEntries(setFields(configuration).map((name) => [name, configuration[name]]));
  const all = Object.keys(changed).length > 0 ? { chatUrl, configuration: changed } : { chatUrl };
  const code = `platform.init(${literal(all)});`.replaceAll('\n', '\n  ');
  return `<script ${attribute('src', file)}></script>\n<script>\n  ${code}\n</script>`;
}

/** A value as a JavaScript literal that is safe inside <script>. */
const literal = (value: object): string =>
  JSON.stringify(value, undefined, 2)
    // "</script>" would end the script, "<!--" would hide its end.
    .replaceAll('<', '\\u003c')
    // An ordinary name in JSON, but the prototype in JavaScript.
    .replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');

const entities: Record<string, string> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** An attribute of HTML. */
const attribute = (name: string, value: string): string =>
  `${name}="${value.replace(/[&"<>\r]/g, (letter) => entities[letter] ?? letter)}"`;
