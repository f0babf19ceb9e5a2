// How visitors of a bot reach people: asking for a person, ratings, read receipts, opening hours, and the form before the chat.
import { Form } from '../../ui/Form.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import { PreChatEditor } from './PreChatEditor.tsx';
import type { TabProps } from './tab-props.ts';

export function Tab({ bot }: TabProps) {
  const { client, may } = useConsole();
  const { value, problem, reload } = useLoaded(async () => {
    const [{ deployment }, { configuration }] = await Promise.all([
      client.getBotDeployment({ id: bot.id }),
      client.getBotWebchat({ id: bot.id }),
    ]);
    return { deployment, form: configuration.preChatForm ?? {} };
  }, bot.id);
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  const { visitorHandoff = false, ratings = true, readReceipts = false } = value.deployment;
  return (
    <>
      <Section
        title={t('Talking to people')}
        intro={t('What visitors can do when the bot does not help, or when your team answers.')}
      >
        <fieldset disabled={!may('bots.update')}>
          <legend class="visually-hidden">{t('Talking to people')}</legend>
          <Form
            fields={[
              {
                name: 'visitorHandoff',
                kind: 'check',
                label: t('Visitors may ask for a person'),
                help: t(
                  'The menu of the chat gets a command for it. The conversation then waits in your inbox.',
                ),
              },
              {
                name: 'ratings',
                kind: 'check',
                label: t('Ask for a rating when a person has closed the conversation'),
              },
              {
                name: 'readReceipts',
                kind: 'check',
                label: t('Show what was read'),
                help: t(
                  'Visitors see that your team has read their message, and your team sees what the visitor has read.',
                ),
              },
            ]}
            initial={{ visitorHandoff, ratings, readReceipts }}
            button={t('Save')}
            success={t('Saved.')}
            onSubmit={(values) =>
              client.setBotDeployment({
                id: bot.id,
                visitorHandoff: values.visitorHandoff === true,
                ratings: values.ratings === true,
                readReceipts: values.readReceipts === true,
              })
            }
          />
        </fieldset>
        {!may('bots.update') && (
          <p class="hint">{t('Your role does not allow you to change this. Developers and managers can.')}</p>
        )}
      </Section>
      {may('inbox.read') && (
        <Section
          title={t('Opening hours')}
          intro={t('Outside of them visitors read when your team is back. They are the same for all bots.')}
        >
          <p>
            <Link class="button" to="?settings=hours">
              {t('Set the opening hours')}
            </Link>
          </p>
        </Section>
      )}
      <Section
        title={t('Form before the chat')}
        intro={t(
          'Asks for what your team needs to know before the first message. Each field costs you some visitors: ask for little.',
        )}
      >
        <PreChatEditor botId={bot.id} stored={value.form} />
      </Section>
    </>
  );
}
