// How a bot uses its knowledge: an agent gets passages for its answers, a program gets them with each message.
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';

export function KnowledgeUse({ botId }: { botId: string }) {
  const { client, may } = useConsole();
  const { value, problem, reload } = useLoaded(
    async () => (await client.getBotDeployment({ id: botId })).deployment,
    botId,
  );
  const mayChange = may('bots.update');
  return (
    <Section title={t('How the bot uses it')}>
      {!value ? (
        problem ? (
          <Problem text={problem} onRetry={reload} />
        ) : (
          <Loading />
        )
      ) : value.agent ? (
        <>
          <p>
            {value.agent.knowledge === undefined
              ? t('The language model does not use these files yet.')
              : value.agent.knowledge === 'all'
                ? t('The language model answers from all of these files and names its sources.')
                : t('The language model answers from chosen knowledge bases and names its sources.')}
          </p>
          <p>
            <Link class="button" to={{ page: 'bots', bot: botId, tab: 'answers' }}>
              {t('Change it in Answers')}
            </Link>
          </p>
        </>
      ) : mayChange ? (
        <Form
          fields={[
            {
              name: 'knowledgeResults',
              label: t('Passages that the bot gets with each message'),
              kind: 'number',
              limits: { ...inputs.setBotDeployment.knowledgeResults, isRequired: true },
              help: t(
                '0: the bot gets none. Your program or code decides what it does with them; 5 is a good number.',
              ),
            },
          ]}
          initial={{ knowledgeResults: value.knowledgeResults ?? 0 }}
          button={t('Save')}
          success={t('Saved.')}
          onSubmit={({ knowledgeResults }) =>
            client.setBotDeployment({ id: botId, knowledgeResults: Number(knowledgeResults) })
          }
        />
      ) : (
        <p>
          {value.knowledgeResults
            ? t('The bot gets up to {count} passages with each message.', { count: value.knowledgeResults })
            : t('The bot gets no passages with messages.')}
        </p>
      )}
    </Section>
  );
}
