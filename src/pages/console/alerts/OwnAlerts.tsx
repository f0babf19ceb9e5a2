// How the member is told that a visitor waits while nobody has the inbox open: by mail, and by push in this browser.
import { useEffect, useState } from 'preact/hooks';
import type { OwnAlerts as Alerts } from '../../../protocol/types/inbox.ts';
import { describeProblem } from '../../ui/errors.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { useRequests } from '../../ui/requests.ts';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { findSubscription, hasPush, subscribe } from './browser-push.ts';

interface State {
  alerts: Alerts;
  /** Whether this browser gets pushes: the server and the browser have to know of the subscription. */
  isPushed: boolean;
}

/** The section of a member who answers visitors; nothing for others. */
export function OwnAlerts() {
  const { may } = useConsole();
  return may('inbox.write') ? <AlertsSection /> : null;
}

function AlertsSection() {
  const { client } = useConsole();
  const [state, setState] = useState<State>();
  const [problem, setProblem] = useState('');
  const requests = useRequests();
  const show = async (alerts: Alerts) => setState({ alerts, isPushed: await isPushedHere(alerts) });
  const load = () => {
    setProblem('');
    client
      .getAlerts({})
      .then(({ alerts }) => show(alerts))
      .catch((error: unknown) => setProblem(describeProblem(error)));
  };
  // Once, when it is shown.
  useEffect(load, []);

  const setMail = async (mail: boolean) => {
    const choose = (isOn: boolean) =>
      setState(
        (last) => last && { ...last, alerts: { ...last.alerts, mail: { ...last.alerts.mail, isOn } } },
      );
    // At once: a box that goes back until the response is here looks broken.
    choose(mail);
    const request = async () => show((await client.setAlerts({ mail })).alerts);
    const success = mail ? t('Mails are switched on.') : t('Mails are switched off.');
    if (!(await requests.run(request, success))) choose(!mail);
  };
  const setPush = (isOn: boolean, publicKey: string) =>
    requests.run(
      async () => {
        if (isOn) return show((await client.setAlerts({ push: await subscribeHere(publicKey) })).alerts);
        const { alerts } = await client.setAlerts({ push: null });
        await (await findSubscription(publicKey))?.unsubscribe();
        await show(alerts);
      },
      isOn ? t('This browser gets notifications now.') : t('This browser gets no notifications any more.'),
    );

  return (
    <Section
      title={t('When nobody has the inbox open')}
      intro={t(
        'You are told that a visitor waits for an answer if none of those who could answer has the inbox open.',
      )}
    >
      {state ? (
        <>
          {state.alerts.mail.isOffered ? (
            <label class="check">
              <input
                type="checkbox"
                checked={state.alerts.mail.isOn}
                onChange={({ currentTarget }) => void setMail(currentTarget.checked)}
              />
              <span>{t('Send me a mail, at most one in 15 minutes')}</span>
            </label>
          ) : (
            <p class="hint">{t('This server sends no mails.')}</p>
          )}
          <PushChoice {...state} isBusy={requests.isBusy} onChoose={setPush} />
          <p class="hint" role="status">
            {requests.message}
          </p>
        </>
      ) : problem ? (
        <Problem text={problem} onRetry={load} />
      ) : (
        <Loading />
      )}
    </Section>
  );
}

interface PushProps extends State {
  isBusy: boolean;
  onChoose(isOn: boolean, publicKey: string): void;
}

function PushChoice({ alerts: { push }, isPushed, isBusy, onChoose }: PushProps) {
  const { isOffered, publicKey } = push;
  if (!isOffered || publicKey === undefined)
    return <p class="hint">{t('This server sends no push notifications.')}</p>;
  if (!hasPush())
    return (
      <p class="hint">
        {t(
          'This browser has no push notifications here. On an iPhone, add this page to the home screen first.',
        )}
      </p>
    );
  if (Notification.permission === 'denied')
    return (
      <p class="hint">
        {t(
          'This browser blocks notifications of this page. Allow them in the settings of the browser for this site, then reload the page.',
        )}
      </p>
    );
  return (
    <div class="buttons">
      <button type="button" aria-disabled={isBusy} onClick={() => onChoose(!isPushed, publicKey)}>
        {isPushed
          ? t('Switch off notifications in this browser')
          : t('Switch on notifications in this browser')}
      </button>
    </div>
  );
}

async function isPushedHere({ push: { isOn, publicKey } }: Alerts): Promise<boolean> {
  if (!isOn || publicKey === undefined || !hasPush() || Notification.permission !== 'granted') return false;
  return (await findSubscription(publicKey)) !== undefined;
}

/** Asks for the permission, and subscribes. */
async function subscribeHere(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(
      t(
        'The browser does not allow notifications. Allow them in its settings for this site, then try again.',
      ),
    );
  const { endpoint, keys, expirationTime = null } = (await subscribe(publicKey)).toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    expirationTime,
  };
}
