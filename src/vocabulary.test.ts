// Fails on retired words in code, comments, documentation and file names, and names the standard term to use instead.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** Retired word -> standard term. Patterns match whole words; identifiers are case-sensitive. */
const retired: [pattern: RegExp, term: string][] = [
  [
    /\b(?:[Gg]raves?|\w+_graves|\w+Graves?|bury|buried|bury[A-Z]\w*|buriedEdition)\b/g,
    'tombstone, deletion queue',
  ],
  [/\b(?:breath|createBreath|Breath)\b/g, 'yielder: shouldYield, yieldToEventLoop'],
  [/\b(?:[Ll]anes?|createLanes)\b/g, 'concurrency limiter, slot'],
  [/\bHands\b|\bhands\.ts\b/g, 'SessionContext'],
  [/\b(?:scenes?|\w*Scene|sceneOf)\b/g, 'EventContext in the server, fixture in tests'],
  [/\bWorld\b|\bworld\(/g, 'fixture: Fixture, createFixture'],
  [/\btakeUp\b/g, 'start, resume, process'],
  [/\banew\b/gi, 'again'],
  [/(?<![Tt]here )\bis no (?!longer\b|more than\b)/g, '"is not a", or "does not have a"'],
  [/\bstrangers?\w*|\bsome(?:body|one) else\b/gi, 'third-party page, another user'],
  [/\b(?:[Ss]weepers?|createSweeper|swept)\b/g, 'cleanup job, deleted'],
  [/\b(?:[Ww]eathers?|[Ss]torms?)\b/g, 'network conditions, faults'],
  [/\bpuppets?\b/gi, 'scripted bot'],
  [/\bfaulty\b/gi, 'fault proxy'],
  [/\b(?:Patients?|patience|patiently)\b/g, 'DiagnosticContext, retry, pollOptions'],
  [/\bexamin\w*/gi, 'diagnose, check, validate'],
  [/\b(?:enterRoom|leaveRoom|Room|relist)\b/g, 'joinConversation, ConversationConnection, resync'],
  [/\b(?:const|let|function) rooms?\b|\.rooms?\b|\b\w+Room\b/g, 'conversation, conversationId'],
  [/['"`.]heard\b(?!")/g, 'visually-hidden'],
  [/(?:class="|\.)told\b/g, 'details'],
  [/\b(?:TabWord|tellingClient|sayAsTab|[Aa]skers?)\b/g, 'message body, reporting client, post, caller'],
  [/\b(?:noField|[Rr]emovable)\b/g, 'unknownField, clearable text'],
  [
    /\b(?:isSpokenOf|isWanted|putAway|onDashboard)\b/g,
    'hasPendingUser, what it decides, stashUser, server configuration',
  ],
  [/\b(?:families|FamilyCaller|FullCaller|ChatCaller|apiFamil\w+)\b/g, 'APIs, ApiClientBase'],
  [/\b(?:NotTaken|takenOver|BodyCut)\b/g, 'DeliveryRejected, UploadSuperseded, BodyAborted'],
  [/\bapolog\w*\b/gi, 'failureMessage, notifyVisitorOfFailure'],
  [/\b(?:rivals?|rivalOf)\b/gi, 'route collisions'],
  [/\bseams?\b/gi, 'interface'],
  [/\bdoors?\b/gi, 'entry point'],
  [/\bearlier life\b|\blife of the server\b/gi, 'previous run'],
  [/\bbot of the settings\b|\bsettings' bot\b/gi, 'the default bot'],
  [
    /\b(?:openBot|openWorkspace|settleToken|adoptBots)\b/g,
    'ensureBot, ensureWorkspace, ensureAdminToken, assignOrphanBots',
  ],
  [/\b(?:hastenDeliveries|takePlace)\b/g, 'clampDueTimes, incrementSequence'],
  [/\b(?:botRemains|bot-remains|sweepBots)\b/g, 'botTables, removeBotData'],
  [/\b(?:blankRequests|shownOnce|isBulky)\b/g, 'redactResponses, oneTimeFields, skipIdempotencyCache'],
  [/\b(?:oneOfBoth|fewTagsOf|shortList)\b/g, 'mutuallyExclusive, tagsWithLimit, boundedArray'],
  [/\b(?:createLife|Life|News)\b/g, 'createWidget, WidgetInstance, incoming messages'],
  [/\b(?:leaveVisit|StoredVisit)\b/g, 'endSession, StoredSession'],
  [/\b(?:trials|laws)\b/g, 'stress tests, invariants'],
  [/\b(?:gauge|Gauge)\b/g, 'metric sampler'],
  [/\bopinions?\b/gi, 'feedback'],
  [/\b(?:alarms?|chimes?|judges?|judged|squeeze[sd]?)\b/gi, 'scheduler, notification sound, check, minify'],
  [/\bGives (?:an?|the)\b/g, 'Returns'],
  [/\btells the page\b|\bare believed\b/g, 'notifies the page, are trusted'],
  [/\bstands (?:in|beside)\b/g, 'is in, is next to, needs'],
  [
    /(?<![\w-])(?:walk|far|cover|dress|heal|pace|news|tell|looks|live|frames|bus|words|wire|probe|gate)\.tsx?\b/g,
    'a file name with the standard term, such as sse-frames.ts, pub-sub.ts, serializers.ts',
  ],
  [/\b(?:shellFields|ShellConfiguration)\b/g, 'launcherFields, LauncherConfiguration'],
  [/\b(?:createTurns|orGiveUp|createDueWorker|DueWork)\b/g, 'concurrency limiter, scheduled worker'],
  [/\b(?:isNews|leaveToOthers)\b/g, 'isNew, notifyOtherProcesses'],
  [/\b(?:WiredServer|createWire|wiredUrl|insist)\b/g, 'relay: RelayedServer, relayUrl; retry'],
  [/\b(?:KeptRun|ParkedMessage|deliverParked)\b/g, 'saved run, deferred message'],
  [/\bhears? of\b/g, 'receives an event, is notified of'],
  [/\bSPEC\b/g, 'the page of docs/, because SPEC is not in this repository'],
];

/** File -> word -> why it stays. */
const allowed: Record<string, Record<string, string>> = {
  'CHANGELOG.md': { trials: 'the name of a folder of version 0.1' },
  'bench/texts.ts': { weather: 'a word of a message' },
  'src/server/storage/sqlite.test.ts': {
    graves: 'tables of schema version 17',
    table_graves: 'tables of schema version 17',
    bot_graves: 'tables of schema version 17',
    file_graves: 'tables of schema version 17',
  },
  'src/server/http/metrics/prometheus.ts': { gauge: 'a class of prom-client' },
  'src/server/http/metrics/metrics.integration.test.ts': { gauge: 'a type of the text format' },
};

const root = join(import.meta.dirname, '..');
const self = relative(root, import.meta.filename);
const isText = (file: string) => /\.(?:ts|tsx|mjs|js|css|html|md|svelte|vue|yml)$/.test(file);
/** Folders with our texts; the configuration and the pages next to them are scanned too. */
const folders = ['.ci', '.github', 'bench', 'demo', 'docs', 'e2e', 'public', 'scripts', 'simulation', 'src'];
/** The check itself; names of emoji, which are those of Unicode; passwords of people. */
const excluded = [self, 'src/widget/media/emoji/emoji-data.ts', 'src/server/auth/frequent-passwords.ts'];
const files = [
  ...readdirSync(root),
  ...folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`),
  ),
]
  .map((file) => file.replaceAll('\\', '/'))
  // Released migrations are never edited.
  .filter((file) => !/^src\/server\/storage\/migrations|(?:^|\/)node_modules\//.test(file))
  .filter((file) => isText(file) && !excluded.includes(file));

interface Finding {
  file: string;
  line: number;
  word: string;
  term: string;
}

/** The retired words in the path of a file (line 0) and in its text. */
function findingsOf(file: string, text: string): Finding[] {
  const content = `${file}\n${text}`;
  // In the whole text, because a search in each line takes four times as long. No pattern matches a line break.
  const found = retired.flatMap(([pattern, term]) =>
    [...content.matchAll(pattern)].map(({ 0: word, index }) => ({
      file,
      line: content.slice(0, index).split('\n').length - 1,
      word: word.trim(),
      term,
    })),
  );
  return found.sort((a, b) => a.line - b.line);
}

const reasonOf = ({ file, word }: Finding) => allowed[file]?.[word.toLowerCase()];
const findings = files.flatMap((file) => findingsOf(file, readFileSync(join(root, file), 'utf8')));
const show = ({ file, line, word, term }: Finding) =>
  `${file}${line === 0 ? ' (file name)' : `:${line}`}: "${word}" is a retired word. Use: ${term}.`;

test('vocabulary: the check finds a retired word in a path and in a text, and not a part of another word', () => {
  expect(findingsOf('src/lanes.ts', 'a\nthe sweeper').map(({ line, word }) => [line, word])).toEqual([
    [0, 'lanes'],
    [2, 'sweeper'],
  ]);
  expect(findingsOf('src/planes.ts', 'gravel, indoors, There is no message, it is no longer')).toEqual([]);
  expect(findingsOf('src/sse-frames.ts', 'little room for texts, Hello world')).toEqual([]);
});

test('vocabulary: no file uses a retired word', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = findings.filter((finding) => !reasonOf(finding));
  expect(found.map(show)).toEqual([]);
});

test('vocabulary: every exception is still needed', () => {
  const unused = Object.entries(allowed).flatMap(([file, words]) =>
    Object.keys(words)
      .filter(
        (word) => !findings.some((finding) => finding.file === file && finding.word.toLowerCase() === word),
      )
      .map((word) => `${file}: ${word}`),
  );
  expect(unused).toEqual([]);
});
