// The privacy of the visitors of a bot: consent, how long data is kept, and the data of each visitor.
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { PreChatForm } from '../../../protocol/page-api/configuration.ts';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { editedFormOf, preChatFormOf } from './pre-chat.ts';
import type { TabProps } from './tab-props.ts';
import { Visitors } from './Visitors.tsx';
import { changeWebchat } from './webchat-changes.ts';

export function Tab({ bot }: TabProps) {
  const { may } = useConsole();
  return (
    <>
      <Consent botId={bot.id} />
      <Retention botId={bot.id} />
      {may('users.read') ? (
        <Visitors botId={bot.id} />
      ) : (
        <Section title={t('Visitors')}>
          <p class="hint">{t('Your role does not allow you to see the data of visitors. Managers can.')}</p>
        </Section>
      )}
    </>
  );
}

const linkOf = (title: string, link: string) => (link === '' ? undefined : { ...(title && { title }), link });

function Consent({ botId }: { botId: string }) {
  const { client, may } = useConsole();
  const { value, problem, reload } = useLoaded<Configuration>(
    async () => (await client.getBotWebchat({ id: botId })).configuration,
    botId,
  );
  const mayChange = may('webchat.update');
  return (
    <Section
      title={t('Consent and notices')}
      intro={t('What visitors read and agree to before your server stores anything of them.')}
    >
      {!value ? (
        problem ? (
          <Problem text={problem} onRetry={reload} />
        ) : (
          <Loading />
        )
      ) : (
        <fieldset disabled={!mayChange}>
          <legend class="visually-hidden">{t('Consent and notices')}</legend>
          <Form
            fields={[
              {
                name: 'consent',
                kind: 'textarea',
                rows: 3,
                label: t('Sentence to agree to before the chat'),
                limits: { maxLength: 1_000 },
                placeholder: t('I agree that my messages are stored to answer my question.'),
                help: t('Empty: no question. If you change it, visitors are asked again.'),
              },
              {
                name: 'privacyLink',
                kind: 'url',
                label: t('Address of your privacy policy'),
                placeholder: 'https://www.example.com/privacy',
              },
              { name: 'privacyTitle', label: t('Text of this link'), placeholder: t('Privacy policy') },
              {
                name: 'termsLink',
                kind: 'url',
                label: t('Address of your terms of service'),
                placeholder: 'https://www.example.com/terms',
              },
              { name: 'termsTitle', label: t('Text of this link'), placeholder: t('Terms of service') },
              {
                name: 'deleteData',
                kind: 'check',
                label: t('Visitors can delete their own data'),
                help: t('The menu of the chat gets a command for it.'),
              },
            ]}
            initial={{
              consent: value.preChatForm?.consent ?? '',
              privacyLink: value.privacyPolicy?.link ?? '',
              privacyTitle: value.privacyPolicy?.title ?? '',
              termsLink: value.termsOfService?.link ?? '',
              termsTitle: value.termsOfService?.title ?? '',
              deleteData: value.deleteData ?? false,
            }}
            button={t('Publish')}
            success={t('Published.')}
            onSubmit={(values) => {
              const text = (name: string) => String(values[name] ?? '').trim();
              return changeWebchat(client, botId, ({ preChatForm = {}, deleteData }) => ({
                preChatForm: withConsent(preChatForm, text('consent')),
                privacyPolicy: linkOf(text('privacyTitle'), text('privacyLink')),
                termsOfService: linkOf(text('termsTitle'), text('termsLink')),
                deleteData: values.deleteData === true || (deleteData === undefined ? undefined : false),
              }));
            }}
          />
        </fieldset>
      )}
      {!mayChange && (
        <p class="hint">{t('Your role does not allow you to change this. Developers and managers can.')}</p>
      )}
    </Section>
  );
}

const withConsent = (form: PreChatForm, consent: string): PreChatForm | undefined =>
  preChatFormOf(editedFormOf(form), consent || undefined);

const periods = ['messagesDays', 'filesDays', 'contactsDays', 'logsDays'] as const;

function Retention({ botId }: { botId: string }) {
  const { client, may } = useConsole();
  const { value, problem, reload } = useLoaded(() => client.getBotRetention({ id: botId }), botId);
  const mayChange = may('privacy.write');
  const labels: Record<(typeof periods)[number], string> = {
    messagesDays: t('Conversations without activity'),
    filesDays: t('Files of visitors'),
    contactsDays: t('E-mail addresses of visitors without activity'),
    logsDays: t('Failures of the bot'),
  };
  const defaultOf = (days: number) =>
    days === 0
      ? t('Empty: as the server does it, kept.')
      : t('Empty: as the server does it, {days} days.', { days });
  return (
    <Section
      title={t('How long data is kept')}
      intro={t(
        'Days after which data is deleted; 0 keeps it. Nothing of a conversation is deleted while it waits for a person or has one.',
      )}
    >
      {!value ? (
        problem ? (
          <Problem text={problem} onRetry={reload} />
        ) : (
          <Loading />
        )
      ) : (
        <fieldset disabled={!mayChange}>
          <legend class="visually-hidden">{t('How long data is kept')}</legend>
          <Form
            fields={periods.map((name) => ({
              name,
              label: labels[name],
              kind: 'number' as const,
              limits: inputs.setBotRetention[name] ?? {},
              help: defaultOf(value.defaults[name]),
            }))}
            initial={Object.fromEntries(periods.map((name) => [name, value.retention[name] ?? '']))}
            button={t('Save')}
            success={t('Saved.')}
            onSubmit={(values) =>
              client.setBotRetention({
                id: botId,
                ...Object.fromEntries(
                  periods.map((name) => [
                    name,
                    String(values[name]).trim() === '' ? null : Number(values[name]),
                  ]),
                ),
              })
            }
          />
        </fieldset>
      )}
      {!mayChange && (
        <p class="hint">{t('Your role does not allow you to change this. Administrators can.')}</p>
      )}
    </Section>
  );
}
