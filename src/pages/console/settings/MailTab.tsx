// The mail server, for operators: whether there is one, and a test mail.

import { useLoaded } from '../../ui/loaded.ts';
import { Facts, Loading, Problem, Section } from '../../ui/Page.tsx';
import { useRequests } from '../../ui/requests.ts';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';

export function MailTab() {
  const { client, member, may } = useConsole();
  const { value, problem, reload } = useLoaded(() => client.getServerState());
  const requests = useRequests();
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  const { mail } = value.server;
  const { email } = member.value.member;
  if (!mail) {
    return (
      <Section title={t('Mail')}>
        <p>
          {t(
            'This server sends no mail. Members get their links from you, and visitors who have gone are not told about answers.',
          )}
        </p>
        <p>{t('To send mails, start the server with these settings:')}</p>
        <pre class="code">
          {`SMTP_URL=smtp://USER:PASSWORD@mail.example.com:587
MAIL_FROM="Webchat <webchat@example.com>"
PUBLIC_URL=https://chat.example.com`}
        </pre>
      </Section>
    );
  }
  return (
    <Section
      title={t('Mail')}
      intro={t('Members get links to sign in, and visitors who have gone get answers of the team.')}
    >
      <Facts
        facts={[
          [t('Sender'), mail.from],
          [t('Links begin with'), mail.address],
        ]}
      />
      {may('server.write') && (
        <div class="buttons">
          <button
            type="button"
            class="main"
            aria-disabled={requests.isBusy}
            onClick={() =>
              requests.run(
                async () => {
                  const { problem } = await client.sendTestMail({});
                  if (problem) throw new Error(problem);
                },
                t(
                  'The mail server has accepted a mail to {email}. If it does not arrive, look among unwanted mails.',
                  {
                    email,
                  },
                ),
              )
            }
          >
            {t('Send a test mail to me')}
          </button>
        </div>
      )}
      <p role="status">{requests.isBusy ? t('The mail is being sent…') : requests.message}</p>
    </Section>
  );
}
