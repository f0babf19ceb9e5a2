// The HTML that puts the chat on a page, in three forms. Only what is set stands in it.
import { attributeOf, type Configuration } from '../../protocol/config.ts';
import { setFields, textOf } from './setup.ts';

export type Form = 'served' | 'attributes' | 'init';

/** Where the platform is: its address, ending in `/`, and the last part of the chat's. */
export interface Place {
  base: string;
  bot: string;
}

/** The snippet of a form, ready to be pasted into a page. */
export function snippetOf(form: Form, configuration: Configuration, { base, bot }: Place): string {
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

/** The script is not async here: `platform` has to be there for the next one. */
function initScript(
  file: string,
  { chatUrl, configuration }: { chatUrl: string; configuration: Configuration },
): string {
  const given = Object.fromEntries(setFields(configuration).map((name) => [name, configuration[name]]));
  const all = Object.keys(given).length > 0 ? { chatUrl, configuration: given } : { chatUrl };
  const code = `platform.init(${literal(all)});`.replaceAll('\n', '\n  ');
  return `<script ${attribute('src', file)}></script>\n<script>\n  ${code}\n</script>`;
}

/** A value as JavaScript that may stand inside <script>. */
const literal = (value: object): string =>
  JSON.stringify(value, undefined, 2)
    // "</script>" and "<!--" would end the script, or hide its end.
    .replaceAll('<', '\\u003c')
    // In JSON a name like others, in JavaScript the prototype.
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
