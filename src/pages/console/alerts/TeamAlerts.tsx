// How the chat tool of the team is told that a visitor waits while nobody has the inbox open.
import { useEffect, useState } from 'preact/hooks';
import { limits } from '../../../protocol/limits.ts';
import type { AlertProblem, TeamAlerts as Alerts } from '../../../protocol/types/inbox.ts';
import { describeProblem } from '../../ui/errors.ts';
import { Form } from '../../ui/Form.tsx';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { useRequests } from '../../ui/requests.ts';
import { t, textLanguage } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';

/** The section of a member who may change the settings of the inbox; nothing for others. */
export function TeamAlerts() {
  const { may } = useConsole();
  return may('inbox.settings') ? <AlertsSection /> : null;
}

function AlertsSection() {
  const { client } = useConsole();
  const [alerts, setAlerts] = useState<Alerts>();
  const [problem, setProblem] = useState('');
  const requests = useRequests();
  const load = () => {
    setProblem('');
    client
      .getTeamAlerts({})
      .then((response) => setAlerts(response.alerts))
      .catch((error: unknown) => setProblem(describeProblem(error)));
  };
  // Once, when it is shown.
  useEffect(load, []);
  const save = async (url: string | null) => setAlerts((await client.setTeamAlerts({ url })).alerts);
  const test = () =>
    requests.run(async () => {
      const { problem } = await client.testTeamAlert({});
      setAlerts((last) => ({
        ...(last?.url !== undefined && { url: last.url }),
        ...(problem && { problem }),
      }));
      if (problem) throw new Error(t('The test message was not accepted.'));
    }, t('The test message was sent.'));

  return (
    <Section
      title={t('Messages to your chat tool')}
      intro={t(
        'Your chat tool gets a message when a visitor waits for an answer and none of those who could answer has the inbox open. Create an incoming webhook in Slack, Mattermost, Discord or Google Chat, and enter its address.',
      )}
    >
      {alerts ? (
        <>
          <Form
            // The form shows what is stored.
            key={alerts.url ?? ''}
            label={t('Messages to your chat tool')}
            initial={{ url: alerts.url ?? '' }}
            fields={[
              {
                name: 'url',
                label: t('Address of the webhook'),
                kind: 'url',
                placeholder: 'https://hooks.slack.com/services/…',
                limits: { maxLength: limits.webhookUrl },
                help: t('It is a secret: whoever has it can write to your chat tool.'),
              },
            ]}
            button={t('Save')}
            success={t('The address was saved.')}
            onSubmit={({ url }) => save(String(url ?? '').trim() || null)}
          >
            {alerts.url !== undefined && (
              <button type="button" aria-disabled={requests.isBusy} onClick={() => void test()}>
                {t('Send a test message')}
              </button>
            )}
          </Form>
          <p class="hint" role="status">
            {requests.message}
          </p>
          {alerts.problem && <p class="problem">{lastProblem(alerts.problem)}</p>}
        </>
      ) : problem ? (
        <Problem text={problem} onRetry={load} />
      ) : (
        <Loading />
      )}
    </Section>
  );
}

function lastProblem({ at, ...problem }: AlertProblem): string {
  const time = new Date(at).toLocaleString(textLanguage());
  return t('The last message was not accepted ({time}): {reason}', { time, reason: reasonOf(problem) });
}

function reasonOf({ reason, status }: Omit<AlertProblem, 'at'>): string {
  if (reason === 'status') return t('its response had the status {status}.', { status: status ?? '' });
  if (reason === 'timeout') return t('it did not answer in time.');
  if (reason === 'address_refused') return t('the address is in a private network.');
  return t('it could not be reached ({code}).', { code: reason });
}
