// platform.doctor(): checks page, browser, files and server, and reports why the chat does not show or does not connect.
// It does not change anything. Its messages are English, because they are for the owner of the site.
import { type LauncherConfiguration, launcherFields, secretFields } from '../../protocol/page-api/config.ts';
import type { Diagnosis, Finding } from '../../protocol/page-api/page-api.ts';
import type { DiagnosticContext, StoredSession } from '../launcher-chat-interface.ts';
import { checkBundles } from './bundle-checks.ts';
import { checkConfiguration, valuesOf } from './configuration-checks.ts';
import { type Policies, watchPolicies } from './content-policies.ts';
import { finding } from './findings.ts';
import { checkPage } from './page-checks.ts';
import { checkServer, checkVisitor, timeoutMs } from './server-checks.ts';
import { checkBrowser, checkScripts, checkStart, readAddress, scriptTags } from './setup-checks.ts';
import { checkStorage } from './storage-checks.ts';
import { checkStream } from './stream-check.ts';

/** Never rejects: a check that fails is reported as a finding. */
export async function diagnose(context: DiagnosticContext): Promise<Diagnosis> {
  const looking = new AbortController();
  const policies = watchPolicies(looking.signal);
  const skipped: Record<string, string> = {};
  const attempt = async (check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> => {
    try {
      return await check();
    } catch (error) {
      return [finding('internal', 'A check could not be done.', String((error as Error)?.stack ?? error))];
    }
  };
  const { widget, initOptions, attributes, assets } = context;
  const address = readAddress(context);
  const chatUrl = typeof address === 'string' ? address : undefined;
  const isEmbedded = !!(initOptions?.target ?? attributes.target);
  const storageKey = widget?.storageKey ?? (chatUrl && `platform-webchat:${chatUrl}`);
  const storage = storageLocationOf(context);
  if (storage === 'memory')
    skipped.storage = "storageLocation is 'memory': nothing is stored in the browser.";

  const results = await Promise.all([
    attempt(checkBrowser),
    attempt(() => (typeof address === 'string' ? checkStart(context) : [address])),
    attempt(checkScripts),
    attempt(() => (widget ? checkPage(widget, isEmbedded) : [])),
    attempt(() => checkConfiguration(context)),
    attempt(() => (storage === 'memory' ? [] : checkStorage(storage, storageKey))),
    attempt(() => checkBundles(assets, policies)),
    attempt(() => (chatUrl ? checkConnection(chatUrl, context, policies, skipped) : [])),
  ]);
  looking.abort();
  const findings = results.flat().sort((a, b) => rank(a) - rank(b));
  const diagnosis: Diagnosis = {
    ok: findings.every(({ severity }) => severity !== 'error'),
    findings,
    environment: { ...describe(context, chatUrl), skipped },
  };
  printReport(diagnosis);
  return diagnosis;
}

/** Where the chat stores its record, or would store it if it were running: the check itself must not store elsewhere. */
function storageLocationOf(context: DiagnosticContext): LauncherConfiguration['storageLocation'] {
  if (context.widget) return context.widget.configuration.storageLocation;
  const [kind, byDefault] = launcherFields.storageLocation;
  const valid = valuesOf(context, 'storageLocation').find((value) =>
    kind.values.some((allowed) => allowed === value),
  );
  return (valid as LauncherConfiguration['storageLocation'] | undefined) ?? byDefault;
}

const rank = ({ severity }: Finding) => (severity === 'error' ? 0 : 1);

/** Checks the server, and everything that depends on it. */
async function checkConnection(
  chatUrl: string,
  context: DiagnosticContext,
  policies: Policies,
  skipped: Record<string, string>,
): Promise<Finding[]> {
  const { widget, initOptions } = context;
  const { findings, isReached } = await checkServer(chatUrl, policies);
  if (!isReached) {
    skipped.visitor = skipped.stream = skipped.pictures = 'The server was not reached.';
    return findings;
  }
  const stored: StoredSession = widget?.storage.read() ?? {};
  const pageKey = widget?.pageKey ?? widget?.user.userKey ?? initOptions?.user?.userKey;
  const visitor = await checkVisitor(chatUrl, pageKey, stored);
  const { userKey, conversationId } = stored;
  const canListen = visitor.isKnown && userKey && conversationId;
  if (!canListen) skipped.stream = 'There is no conversation to listen to yet.';
  const more = await Promise.all([
    canListen ? checkStream(chatUrl, userKey, conversationId) : [],
    checkPictures(chatUrl, policies),
    checkVersion(chatUrl, skipped),
  ]);
  return [...findings, ...visitor.findings, ...more.flat()];
}

/** Checks only whether the policy allows the image: the loaded file is a script. */
async function checkPictures(chatUrl: string, policies: Policies): Promise<Finding[]> {
  await new Promise((resolve) => {
    const picture = new Image();
    picture.onload = picture.onerror = resolve;
    // A policy refuses it at once. Other checks find a server that does not answer.
    setTimeout(resolve, timeoutMs);
    picture.src = `${chatUrl}/webchat.js`;
  });
  const { directive } = (await policies.refusal('img-src', chatUrl)) ?? {};
  const { origin } = new URL(chatUrl);
  return directive ? [finding('csp_images', `${directive} does not allow ${origin}.`)] : [];
}

/** Checks whether the server's current webchat.js contains the name of this file, like the one in the page. */
async function checkVersion(chatUrl: string, skipped: Record<string, string>): Promise<Finding[]> {
  const [script] = scriptTags();
  // The page's policy may block requests to another origin.
  if (!script || new URL(script.src).origin !== new URL(chatUrl).origin) {
    skipped.version = 'The script came from elsewhere than the chat.';
    return [];
  }
  const hash = /-(.{6})\.js/.exec(import.meta.url)?.[1] ?? '';
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(script.src, { credentials: 'omit', cache: 'no-store', signal });
    const isCurrent = !response.ok || (await response.text()).includes(hash);
    return isCurrent
      ? []
      : [finding('script_outdated', `${script.src} is another version now than in this page.`)];
  } catch (error) {
    skipped.version = String(error);
    return [];
  }
}

/** The data for a bug report: addresses and states, without keys, names or texts. */
function describe({ widget, attributes, assets }: DiagnosticContext, chatUrl: string | undefined): object {
  return {
    page: location.origin + location.pathname,
    chatUrl,
    assets,
    doctor: import.meta.url.replace(/.*\//, ''),
    scripts: scriptTags().map(({ src }) => src),
    state: widget ? (widget.isOpen ? 'open' : 'closed') : 'not started',
    attributes: Object.keys(attributes).filter((name) => !secretFields.some((secret) => secret === name)),
    locale: widget?.language.locale,
    browser: navigator.userAgent,
    viewport: `${innerWidth} by ${innerHeight}`,
    isOnline: navigator.onLine,
    isFramed: window.top !== window,
    isSecure: isSecureContext,
    cookies: 'not needed',
  };
}

/** Prints a diagnosis to the console. */
function printReport({ ok, findings, environment }: Diagnosis): void {
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const summary = findings.length === 0 ? 'nothing found' : ok ? `${count}, no errors` : count;
  console.group(`[platform] doctor: ${summary}`);
  if (findings.length > 0) {
    console.table(findings.map(({ severity, code, message, cure }) => ({ severity, code, message, cure })));
  }
  for (const { code, detail } of findings) if (detail) console.log(`${code}: ${detail}`);
  console.log(environment);
  console.groupEnd();
}
