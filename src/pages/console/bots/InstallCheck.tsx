// Checks whether the chat of a bot is on a page of the owner: the page is opened, and the server tells whether it requested the chat.
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeProblem } from '../../ui/errors.ts';
import { t, textLanguage } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { originOfPage } from './page-origin.ts';
import '../../ui/style/forms.css';

/** Milliseconds between two looks, and after which the reasons are shown. */
const lookMs = 2_500;
const patienceMs = 20_000;

type Check =
  | { state: 'waiting' | 'late'; origin: string; startedAt: number }
  | { state: 'seen'; origin: string; seenAt: string }
  | { state: 'failed'; problem: string };

export function InstallCheck({ botId }: { botId: string }) {
  const { client, base } = useConsole();
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState('');
  const [check, setCheck] = useState<Check>();
  const isLooking = check?.state === 'waiting' || check?.state === 'late';
  const current = useRef(check);
  current.current = check;

  useEffect(() => {
    if (!isLooking) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      const now = current.current;
      if (isGone || !now || (now.state !== 'waiting' && now.state !== 'late')) return;
      try {
        const { origins } = await client.listBotOrigins({ id: botId });
        if (isGone) return;
        const found = origins.find(({ origin }) => origin === now.origin);
        // A minute of tolerance for the clocks of the server and of this computer.
        if (found && Date.parse(found.seenAt) > now.startedAt - 60_000)
          return setCheck({ state: 'seen', origin: now.origin, seenAt: found.seenAt });
        if (Date.now() - now.startedAt > patienceMs && now.state === 'waiting')
          setCheck({ ...now, state: 'late' });
      } catch (error) {
        return setCheck({ state: 'failed', problem: describeProblem(error) });
      }
      timer = setTimeout(look, lookMs);
    };
    timer = setTimeout(look, lookMs / 2);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isLooking, client, botId]);

  const submit = (event: Event) => {
    event.preventDefault();
    const page = originOfPage(address);
    if (!page) {
      setCheck(undefined);
      return setProblem(t('Enter the address of a page, such as https://www.example.com/contact.'));
    }
    setProblem('');
    setCheck({ state: 'waiting', origin: page.origin, startedAt: Date.now() });
    // The page must not get at the console.
    open(page.href, '_blank', 'noopener,noreferrer');
  };
  return (
    <>
      <form class="form" noValidate onSubmit={submit} aria-label={t('Check')}>
        <div class="field">
          <label for="check-address">{t('Address of your page')}</label>
          <input
            id="check-address"
            type="url"
            value={address}
            placeholder="https://www.example.com/"
            autocomplete="url"
            aria-invalid={problem !== '' || undefined}
            aria-describedby={problem ? 'check-problem' : undefined}
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
          {problem && (
            <p class="problem" id="check-problem" role="alert">
              {problem}
            </p>
          )}
        </div>
        <div class="buttons">
          <button type="submit" class="main">
            {t('Open the page and check')}
          </button>
          {isLooking && (
            <button type="button" onClick={() => setCheck(undefined)}>
              {t('Stop')}
            </button>
          )}
        </div>
      </form>
      <div role="status">{check && <Result check={check} base={base} />}</div>
    </>
  );
}

function Result({ check, base }: { check: Check; base: string }) {
  switch (check.state) {
    case 'failed':
      return (
        <div class="result" data-state="bad">
          <p>{check.problem}</p>
        </div>
      );
    case 'seen':
      return (
        <div class="result" data-state="good">
          <p>
            <b>{t('The chat is on your page.')}</b>
          </p>
          <p>
            {t('{origin} requested it at {time}.', {
              origin: check.origin,
              time: new Date(check.seenAt).toLocaleTimeString(textLanguage()),
            })}
          </p>
        </div>
      );
    case 'waiting':
      return (
        <div class="result" data-state="wait">
          <p>{t('Waiting for {origin}. Open the chat on your page, or reload the page.', check)}</p>
        </div>
      );
    case 'late':
      return (
        <div class="result" data-state="bad">
          <p>
            <b>{t('{origin} has not requested the chat so far.', check)}</b>
          </p>
          <p>{t('The check goes on. Look at these, in this order:')}</p>
          <ol class="steps">
            <li>
              {t(
                'Is the code above on this page, and is the change published? Look for “webchat.js” in the source of the page.',
              )}
            </li>
            <li>
              {t(
                'Was the page loaded a moment ago? The browser keeps the chat for five minutes: open the chat, or reload without the cache (Ctrl+F5, on a Mac ⌘⇧R).',
              )}
            </li>
            <li>{t('Does your site have a Content-Security-Policy? Then it needs the lines below.')}</li>
            <li>
              {t(
                'If the chat button appears but the chat does not connect: does the operator allow your site (setting ALLOWED_ORIGINS)? It must contain {origin}.',
                check,
              )}
            </li>
            <li>
              {t(
                'Can your browser reach the server at {base}? Blockers, or a page with https:// and a server with http://, prevent it.',
                { base },
              )}
            </li>
          </ol>
        </div>
      );
  }
}
