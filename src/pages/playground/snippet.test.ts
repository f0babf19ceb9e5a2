// Tests that a browser reads the snippets as the configuration that they were created from.
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { expect, test } from 'vitest';
import type { Configuration, FieldName } from '../../protocol/page-api/config.ts';
import { fields } from '../../protocol/page-api/config-layers.ts';
import { readText } from '../../protocol/page-api/field-kinds.ts';
import { type SnippetForm, snippetOf } from './snippet.ts';
import { configurations } from './testing.ts';

const address = { base: 'https://chat.example.com/', bot: 'demo' };
const chatUrl = 'https://chat.example.com/chat/demo';

const parser = new new JSDOM().window.DOMParser();

/** The scripts of a page with the snippet; the page must have no other content. */
function scriptsOf(form: SnippetForm, configuration: Configuration): HTMLScriptElement[] {
  const html = `<!doctype html><body>${snippetOf(form, configuration, address)}<p>After</p>`;
  const document = parser.parseFromString(html, 'text/html');
  const [...all] = document.body.querySelectorAll('*');
  const scripts = all.filter((element) => element.localName === 'script') as HTMLScriptElement[];
  expect(all.length).toBe(scripts.length + 1);
  expect(document.body.lastElementChild?.textContent).toBe('After');
  return scripts;
}

test('snippet with attributes: its dataset is read as the same configuration', () => {
  fc.assert(
    fc.property(configurations, (configuration) => {
      const [script, ...others] = scriptsOf('attributes', configuration);
      expect(others).toEqual([]);
      expect(script?.src).toBe('https://chat.example.com/webchat/webchat.js');
      const { chatUrl: address, ...texts } = { ...script?.dataset };
      expect(address).toBe(chatUrl);
      const values = Object.entries(texts).map(([name, text = '']) => [
        name,
        readText(fields[name as FieldName][0], text),
      ]);
      expect(Object.fromEntries(values)).toEqual(configuration);
    }),
  );
});

test('snippet with init: the call has the same configuration', () => {
  fc.assert(
    fc.property(configurations, (configuration) => {
      const [file, call, ...others] = scriptsOf('init', configuration);
      expect(others).toEqual([]);
      expect(file?.src).toBe('https://chat.example.com/webchat/webchat.js');
      // The call follows immediately.
      expect(file?.hasAttribute('async')).toBe(false);
      const calls: unknown[] = [];
      new Function('platform', call?.text ?? '')({ init: (options: unknown) => calls.push(options) });
      const isEmpty = Object.keys(configuration).length === 0;
      expect(calls).toEqual([isEmpty ? { chatUrl } : { chatUrl, configuration }]);
    }),
  );
});

test('snippet with the served configuration: is one tag for any set-up', () => {
  fc.assert(
    fc.property(configurations, (configuration) => {
      expect(snippetOf('served', configuration, address)).toBe(
        '<script src="https://chat.example.com/chat/demo/webchat.js" async></script>',
      );
    }),
  );
});

test('snippet: is formatted as a person would write it', () => {
  const configuration: Configuration = {
    color: '#0a7a5a',
    launcher: false,
    footer: '',
    phone: { title: 'Call "us"', link: 'tel:+1&2' },
    botName: '</script>',
  };
  expect(snippetOf('attributes', configuration, address)).toMatchInlineSnapshot(`
    "<script
      src="https://chat.example.com/webchat/webchat.js"
      data-chat-url="https://chat.example.com/chat/demo"
      data-color="#0a7a5a"
      data-launcher="false"
      data-bot-name="&lt;/script&gt;"
      data-footer=""
      data-phone="{&quot;title&quot;:&quot;Call \\&quot;us\\&quot;&quot;,&quot;link&quot;:&quot;tel:+1&amp;2&quot;}"
      async
    ></script>"
  `);
  expect(snippetOf('init', configuration, address)).toMatchInlineSnapshot(`
    "<script src="https://chat.example.com/webchat/webchat.js"></script>
    <script>
      platform.init({
        "chatUrl": "https://chat.example.com/chat/demo",
        "configuration": {
          "color": "#0a7a5a",
          "launcher": false,
          "botName": "\\u003c/script>",
          "footer": "",
          "phone": {
            "title": "Call \\"us\\"",
            "link": "tel:+1&2"
          }
        }
      });
    </script>"
  `);
});
