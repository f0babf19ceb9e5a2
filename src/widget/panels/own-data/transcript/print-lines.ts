// Prints the conversation in place of the page: an element next to its body that is only printed. Without a frame, which
// phones do not print, and with constructed style sheets, which every content security policy allows.
import { language } from '../../../i18n/current.ts';
import type { Widget } from '../../../launcher-chat-interface.ts';
import type { TranscriptLine } from './transcript-text.ts';

const elementName = 'platform-webchat-print';

/** For the page: it has its own sheets, which may limit its height or fill its background. */
const pageCss = `
@media screen { ${elementName} { display: none !important } }
@media print {
  html { all: initial !important; display: block !important }
  html > :not(${elementName}) { display: none !important }
  ${elementName} { display: block !important }
}`;

const css = `
/* Not of the host: an important rule here would show it on the screen, too. */
main { all: initial; display: block; font: 11pt/1.45 system-ui, sans-serif; color: #000; overflow-wrap: anywhere }
h1 { margin: 0 0 12pt; font-size: 15pt }
section { margin: 0 0 10pt }
h2 { margin: 0 0 1pt; font-size: 11pt; break-after: avoid }
time { font-weight: normal; font-size: 9pt; color: #444 }
p { margin: 0; white-space: pre-wrap; orphans: 3; widows: 3 }
`;

/** Opens the print dialog. The added elements are removed afterwards. */
export function printLines({ signal, box }: Widget, title: string, lines: readonly TranscriptLine[]): void {
  const host = document.createElement(elementName);
  const root = host.attachShadow({ mode: 'open' });
  const [own, ofPage] = [css, pageCss].map(sheetOf) as [CSSStyleSheet, CSSStyleSheet];
  root.adoptedStyleSheets = [own];
  const main = element('main', '');
  main.lang = language.locale;
  main.dir = box.dir;
  main.append(element('h1', title), ...lines.map(sectionOf));
  root.append(main);

  document.documentElement.append(host);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ofPage];
  const done = new AbortController();
  const end = () => {
    done.abort();
    host.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== ofPage);
  };
  signal.addEventListener('abort', end, { signal: done.signal });
  // Some browsers do not tell of the end: then the next press of the visitor does.
  // Keys of the chat do not reach the window (launcher/shield.ts).
  for (const type of ['afterprint', 'pointerdown', 'keydown'])
    for (const target of [window, box])
      target.addEventListener(type, end, { capture: true, signal: done.signal });
  window.print();
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

function sectionOf({ author, time, text }: TranscriptLine): HTMLElement {
  const section = element('section', '');
  const heading = element('h2', '');
  const words = element('p', text);
  words.dir = 'auto';
  const at = element('time', `${time} UTC`);
  at.dir = 'ltr';
  heading.append(element('bdi', author), ' ', at);
  section.append(heading, words);
  return section;
}

function element(name: string, text: string): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}
