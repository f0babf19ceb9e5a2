// The first steps of an owner, from a new server to a bot that answers on their page. Each can be skipped, and begins where it was left:
// its state is what the server has stored.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { describeProblem } from '../../ui/errors.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty, Loading, Page, Problem } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { type Console, useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import type { ScreenProps } from '../route.ts';
import { AnswersStep } from './AnswersStep.tsx';
import { HoursStep } from './HoursStep.tsx';
import { InstallStep } from './InstallStep.tsx';
import { KnowledgeStep } from './KnowledgeStep.tsx';
import { LookStep } from './LookStep.tsx';
import type { StartBot, StepProps } from './step.ts';
import '../bots/style/bots.css';
import './start.css';

interface Step {
  id: string;
  name: string;
  intro: string;
  View: ComponentType<StepProps>;
  /** Whether the server has what the step asks for. */
  isDone(console: Console, bot: StartBot): Promise<boolean>;
}

const steps = (): Step[] => [
  {
    id: 'look',
    name: t('Name and look'),
    intro: t('Visitors see this name, picture and color. Try them in the chat beside the form.'),
    View: LookStep,
    async isDone({ client }, { id }) {
      const { configuration } = await client.getBotWebchat({ id });
      return Object.keys(configuration).length > 0;
    },
  },
  {
    id: 'answers',
    name: t('Who answers'),
    intro: t('The people of your team, a model, an agent or your own code. You can change it at any time.'),
    View: AnswersStep,
    async isDone({ client }, { id }) {
      const { deployment } = await client.getBotDeployment({ id });
      return Boolean(
        deployment.agent || deployment.webhookUrl || deployment.code || deployment.visitorHandoff,
      );
    },
  },
  {
    id: 'knowledge',
    name: t('Its knowledge'),
    intro: t(
      'Add the documents from which the bot may answer: product sheets, terms, questions and answers.',
    ),
    View: KnowledgeStep,
    async isDone({ filesOf }, { id }) {
      const { files } = await filesOf(id).listFiles({});
      return files.length > 0;
    },
  },
  {
    id: 'hours',
    name: t('Opening hours'),
    intro: t('When do people of your team answer? Outside of these hours visitors leave a message.'),
    View: HoursStep,
    async isDone({ client }) {
      const { openingHours } = await client.getOpeningHours({});
      return Object.keys(openingHours.week).length > 0;
    },
  },
  {
    id: 'install',
    name: t('Your page'),
    intro: t('Add one line to your pages, and check here that the chat is seen.'),
    View: InstallStep,
    async isDone({ client }, { id }) {
      const { origins } = await client.listBotOrigins({ id });
      return origins.some(({ origin }) => origin !== location.origin);
    },
  },
];

export function Screen({ route }: ScreenProps) {
  const console = useConsole();
  const [bot, setBot] = useState<StartBot | null>();
  const [problem, setProblem] = useState('');
  const [done, setDone] = useState<Record<string, boolean>>({});
  const all = steps();
  const asked = all.findIndex(({ id }) => id === route.step);

  const find = () => {
    setProblem('');
    findBot(console, route.bot).then(setBot, (error) => setProblem(describeProblem(error)));
  };
  useEffect(find, [console, route.bot]);

  const look = async () => {
    if (!bot) return undefined;
    const states = await Promise.all(
      all.map(async ({ id, isDone }) => [id, await isDone(console, bot).catch(() => false)] as const),
    );
    const found = Object.fromEntries(states);
    setDone(found);
    return found;
  };
  /** A step stays done: each of twenty documents calls it. */
  const check = async ({ id, isDone }: Step) => {
    if (!bot || done[id] || !(await isDone(console, bot).catch(() => false))) return;
    setDone((last) => ({ ...last, [id]: true }));
  };
  // Without a step in the address: the first one that is not done.
  useEffect(() => {
    void look().then((found) => {
      if (!found || asked >= 0) return;
      const first = all.find(({ id }) => !found[id]) ?? all[0];
      console.router.go({ ...route, page: 'start', step: first?.id }, { replace: true });
    });
  }, [bot]);

  if (problem) {
    return (
      <Page title={t('First steps')}>
        <Problem text={problem} onRetry={find} />
      </Page>
    );
  }
  if (bot === null) {
    return (
      <Page title={t('First steps')}>
        <Empty>
          <p>{t('There is no bot yet.')}</p>
          <p>
            <Link to={{ page: 'bots' }} class="button main">
              {t('Create a bot')}
            </Link>
          </p>
        </Empty>
      </Page>
    );
  }
  const step = all[asked];
  if (!bot || !step) {
    return (
      <Page title={t('First steps')}>
        <Loading />
      </Page>
    );
  }
  const next = all[asked + 1];
  const before = all[asked - 1];
  const toStep = (id: string) => ({ ...route, page: 'start' as const, step: id });
  return (
    <Page title={t('First steps')} focusKey={`start ${step.id}`}>
      <nav class="first-steps" aria-label={t('First steps')}>
        <ol>
          {all.map(({ id, name }, index) => (
            <li key={id}>
              <Link to={toStep(id)} aria-current={id === step.id ? 'step' : undefined}>
                <span class="step-mark" data-done={done[id] === true} aria-hidden="true">
                  {done[id] ? <Icon name="check" /> : index + 1}
                </span>
                <span>{name}</span>
                {done[id] && <span class="visually-hidden">{t('Done')}</span>}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <section class="section step" key={step.id} aria-label={step.name}>
        <h2>{step.name}</h2>
        <p class="intro">{step.intro}</p>
        <step.View bot={bot} onSaved={() => void check(step)} />
      </section>
      <div class="buttons step-buttons">
        {before && (
          <Link to={toStep(before.id)} class="button">
            {t('Back')}
          </Link>
        )}
        {next ? (
          <Link to={toStep(next.id)} class={done[step.id] ? 'button main' : 'button'}>
            {done[step.id] ? t('Continue') : t('Skip this step')}
          </Link>
        ) : (
          <Link to="" class={done[step.id] ? 'button main' : 'button'}>
            {t('To the inbox')}
          </Link>
        )}
      </div>
    </Page>
  );
}

/** The bot of the address, or the first one of the workspace; null without any. */
async function findBot({ client }: Console, id: string | undefined): Promise<StartBot | null> {
  const bot = id
    ? (await client.getBot({ id })).bot
    : (await client.listBots({ sortField: 'createdAt', sortDirection: 'asc', pageSize: 1 })).bots[0];
  if (!bot) return null;
  const { deployment } = await client.getBotDeployment({ id: bot.id });
  return { id: bot.id, name: bot.name, webhookId: deployment.webhookId };
}
