// The content of the start page: the product in one screen, its measured bytes beside other chats, and the ways into the pages.
import { readdirSync, readFileSync } from 'node:fs';
import { kilobytes, readFigures } from './figures.mjs';
import { escapeHtml, highlight, picture } from './markdown.mjs';

/** Portuguese and Chinese have two files each. */
const languages = new Set(
  readdirSync('src/locales')
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/(?:-.*)?\.json$/, '')),
).size;

const readerCards = [
  ['guides/start.html', 'Site owners', 'Put the chat on a page, with your colors, texts and rules.'],
  ['guides/bots.html', 'Bot authors', 'Answer with a module, a webhook, or an agent at an address.'],
  ['guides/console.html', 'Support teams', 'Take over from the bot, and answer in the inbox.'],
  ['guides/self-hosting.html', 'Operators', 'One process and one folder, or many on PostgreSQL.'],
  ['CONTRIBUTING.html', 'Contributors', 'How the code is organized, and how to change it.'],
];

const tag = '<script src="https://YOUR-SERVER/chat/demo/webchat.js" async></script>';

/** The ways into the pages, as cards. */
export const readerList = (root = '') =>
  `<ul class="readers">${readerCards.map(([href, name, text]) => `<li><a href="${root}${href}"><b>${name}</b><span>${text}</span></a></li>`).join('')}</ul>`;

export async function startPage() {
  const { rows, machine, fieldDate, click, slowClick, slowFloor } = readFigures();
  const largest = Math.max(...rows.map(({ bytes }) => bytes));
  const [onView, withWindow] = rows.filter(({ isOwn }) => isOwn);
  const others = rows.filter(({ isOwn }) => !isOwn);
  const bars = rows.map(
    ({ name, note, bytes, isOwn }) =>
      `<tr${isOwn ? ' class="own"' : ''}><td>${escapeHtml(name)}<br><span class="note">${escapeHtml(note)}</span></td><td class="right">${kilobytes(bytes)}</td><td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${((100 * bytes) / largest).toFixed(1)}" height="8"/></svg></td></tr>`,
  );
  return `<section class="hero">
<div>
<h1>A chat for any web page, and the server behind it</h1>
<p class="lead">One script tag adds the window. One command starts the server: bots, language models, an inbox for your team, files and tables. Open source, on your own machine.</p>
<div class="code" data-lang="html"><pre><code>${await highlight(tag, 'html')}</code></pre></div>
<div class="actions"><a class="primary" href="guides/start.html">Get started</a><a class="second" href="guides/self-hosting.html">Run it yourself</a></div>
</div>
<div class="live" data-live>
${['light', 'dark'].map((scheme) => picture(`docs/pictures/chat-${scheme}.webp`, `pictures/chat-${scheme}.webp`, 'The chat window: a bot answers with a table, and asks with two buttons', scheme)).join('')}
<div class="over"><button type="button" class="primary">Chat with it</button></div>
</div>
</section>
<ul class="promises">
<li><b>Light</b><span>${kilobytes(onView.bytes)} on a page view, ${kilobytes(withWindow.bytes)} with an open window. ${others.length} other chats: ${kilobytes(others[0].bytes)} to ${kilobytes(others.at(-1).bytes)} (<a href="#field">compared</a>).</span></li>
<li><b>Safe to embed</b><span>A shadow root, a strict content security policy, Trusted Types.</span></li>
<li><b>Nothing lost</b><span>Each message once and in order, through lost networks and restarts.</span></li>
<li><b>For everybody</b><span>WCAG 2.2 AA, keyboard and screen readers, ${languages} languages.</span></li>
</ul>
<h2 id="read">Read on</h2>
${readerList()}
<section class="showcase">
<div>
<h2 id="team">Your team in the same place</h2>
<p>A bot asks for a person, or a person takes over. The team answers in the inbox, and sets up bots, documents, opening hours and looks in the console, without a terminal.</p>
<p><a href="guides/console.html">The console in pictures</a></p>
</div>
<a href="guides/inbox.html">${picture('docs/pictures/console-inbox.webp', 'pictures/console-inbox.webp', 'The inbox: lists at the side, waiting conversations, and an open conversation with the details of its visitor')}</a>
</section>
<h2 id="field">Beside other chats</h2>
<div class="compared">
<div>
<p>What a visitor downloads for the chat, compressed with Brotli. Ours is measured in the browser (${machine.date}); of the others, the script of their package on npm (${fieldDate}).</p>
<div class="table" data-name="Bytes beside other chats"><table class="bars"><thead><tr><th>Script</th><th class="right">Size</th><td></td></tr></thead><tbody>
${bars.join('\n')}
</tbody></table></div>
</div>
<div>
<p>From the click on the launcher to the text box: <b>${click.value} ms</b>, and <b>${slowClick.value.toLocaleString('en')} ms</b> on a simulated slow phone, on which the least possible page needs ${slowFloor} ms (${escapeHtml(machine.cpu)}, ${machine.cores} cores, ${escapeHtml(machine.browser)}).</p>
<p>The figures are not everything. Choose another product if you need:</p>
<ul>
<li><b>No server of your own.</b> Nobody hosts this one for you.</li>
<li><b>Other channels.</b> This is a chat on web pages: no WhatsApp, no telephone, no native applications.</li>
<li><b>A flow editor.</b> Bots are code or agents at an address, and not drawn.</li>
<li><b>Years of use by many.</b> This is version ${version()}, and its packages are not on npm yet.</li>
</ul>
<p><a href="reference/performance.html">All measurements, their method and known weaknesses</a></p>
</div>
</div>`;
}

const version = () => JSON.parse(readFileSync('package.json', 'utf8')).version;
