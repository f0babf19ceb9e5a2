// The form for who answers the visitors of a bot, with a test of an agent before it is saved. The first steps use it, too.
import { useState } from 'preact/hooks';
import type { AgentTest, Bot, Deployment } from '../../../protocol/types/bots.ts';
import { describeProblem, fieldProblems } from '../../ui/errors.ts';
import { Form, type FormField, type FormValues } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem } from '../../ui/Page.tsx';
import { t, textLanguage } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { type Answerer, agentKinds, agentOf, answererOf, hasModel, valuesOf } from './agent-kinds.ts';

interface Props {
  botId: string;
  /** Called after it was saved. */
  onSaved?(): void;
}

export function AnswersForm({ botId, onSaved }: Props) {
  const { client } = useConsole();
  const loaded = useLoaded(async () => {
    const [{ deployment }, { bot }] = await Promise.all([
      client.getBotDeployment({ id: botId }),
      client.getBot({ id: botId }),
    ]);
    return { deployment, bot };
  }, botId);
  const { value, problem, reload } = loaded;
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  return (
    <Choice
      botId={botId}
      stored={value.deployment}
      answeredBy={value.bot.answeredBy}
      onSaved={(deployment) => {
        loaded.set({ ...value, deployment });
        reload();
        onSaved?.();
      }}
    />
  );
}

interface ChoiceProps {
  botId: string;
  stored: Deployment;
  answeredBy: Bot['answeredBy'];
  onSaved(deployment: Deployment): void;
}

function Choice({ botId, stored, answeredBy, onSaved }: ChoiceProps) {
  const { client, may, base } = useConsole();
  const current = answererOf(stored, answeredBy);
  const [answerer, setAnswerer] = useState<Answerer>(current);
  const mayChange = may('bots.update');
  const options: [value: Answerer, name: string, text: string][] = [
    ['agent', t('A language model'), t('An address with a key and a model, or an agent program.')],
    ['people', t('People only'), t('Your team answers in the inbox.')],
    ['webhook', t('A program at a web address'), t('Your own service gets each message and answers.')],
    ['code', t('Code on the server'), t('A file that the operator has put on the server.')],
  ];
  if (current === 'server')
    options.unshift([
      'server',
      t('The bot of the server settings'),
      t('The operator has chosen it when starting the server, such as the demo bot.'),
    ]);
  const save = async (input: Parameters<typeof client.setBotDeployment>[0]) => {
    const { deployment } = await client.setBotDeployment(input);
    toast(t('Saved. The next message of a visitor is answered this way.'));
    onSaved(deployment);
  };
  return (
    <>
      <fieldset class="cards" disabled={!mayChange}>
        <legend class="visually-hidden">{t('Who answers')}</legend>
        {options.map(([value, name, text]) => (
          <label key={value} class="card-choice">
            <input
              type="radio"
              name={`answerer-${botId}`}
              checked={answerer === value}
              onChange={() => setAnswerer(value)}
            />
            <span>
              <b>
                {name}
                {value === current && <span class="visually-hidden"> {t('(now)')}</span>}
              </b>
              <span class="hint">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {!mayChange ? (
        <p class="hint">
          {t('Your role does not allow you to change who answers. Developers and managers can.')}
        </p>
      ) : (
        <Fields
          key={answerer}
          botId={botId}
          answerer={answerer}
          isCurrent={answerer === current}
          stored={stored}
          save={save}
        />
      )}
      {answerer === current && answerer !== 'people' && answerer !== 'agent' && (
        <p>
          <a class="button" href={`${base}chat/${stored.webhookId}/page`} target="_blank" rel="noreferrer">
            {t('Try it in a chat')}
            <span class="visually-hidden">{t('(opens in a new tab)')}</span>
          </a>
        </p>
      )}
    </>
  );
}

interface FieldsProps {
  botId: string;
  answerer: Answerer;
  isCurrent: boolean;
  stored: Deployment;
  save(input: { id: string } & Record<string, unknown>): Promise<void>;
}

function Fields({ botId, answerer, isCurrent, stored, save }: FieldsProps) {
  const { client } = useConsole();
  const initial = valuesOf(stored);
  switch (answerer) {
    case 'agent':
      return <AgentFields botId={botId} stored={stored} save={save} />;
    case 'webhook':
      return (
        <Form
          label={t('A program at a web address')}
          fields={[
            {
              name: 'webhookUrl',
              label: t('Web address of the program'),
              kind: 'url',
              limits: { ...inputs.setBotDeployment.webhookUrl, isRequired: true },
              placeholder: 'https://example.com/chat',
              help: t('The server sends it each message of a visitor, with a signature.'),
            },
          ]}
          initial={initial}
          button={t('Save')}
          onSubmit={({ webhookUrl }) => save({ id: botId, webhookUrl: String(webhookUrl).trim() })}
        />
      );
    case 'code':
      return (
        <Form
          label={t('Code on the server')}
          fields={[
            {
              name: 'code',
              label: t('Name of the file'),
              limits: { ...inputs.setBotDeployment.code, isRequired: true },
              placeholder: 'shop.mjs',
              help: t(
                'A JavaScript file in the folder of bots on the server. Code cannot be uploaded here: ask the operator of the server to put it there.',
              ),
            },
          ]}
          initial={initial}
          button={t('Save')}
          onSubmit={({ code }) => save({ id: botId, code: String(code).trim() })}
        />
      );
    default:
      return (
        <>
          <p>
            {answerer === 'server'
              ? t('What you choose here instead replaces it for this bot. You can return to it at any time.')
              : t('Each message of a visitor waits in the inbox for a person.')}
          </p>
          {!isCurrent && <ClearButton onClear={() => client && save(clearedOf(botId))} />}
        </>
      );
  }
}

const clearedOf = (id: string) => ({ id, code: null, webhookUrl: null, agent: null });

function ClearButton({ onClear }: { onClear(): Promise<void> }) {
  const [problem, setProblem] = useState('');
  return (
    <>
      <button
        type="button"
        class="main"
        onClick={() => onClear().catch((error: unknown) => setProblem(describeProblem(error)))}
      >
        {t('Save')}
      </button>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}

function agentFields(stored: Deployment): FormField[] {
  const { agent } = stored;
  const limits = inputs.setBotDeployment;
  return [
    { name: 'protocol', label: t('Kind'), options: agentKinds(), kind: 'select' },
    {
      name: 'url',
      label: t('Address'),
      kind: 'url',
      limits: { ...limits['agent.url'], isRequired: true },
      placeholder: 'https://api.openai.com/v1',
      help: t(
        'The provider of the model tells it, such as https://api.openai.com/v1. Ollama on the machine of the server: http://127.0.0.1:11434/v1.',
      ),
    },
    {
      name: 'key',
      label: t('Key'),
      kind: 'password',
      autocomplete: 'new-password',
      limits: limits['agent.key'] ?? {},
      help: agent?.hasKey
        ? t('A key is stored. Leave this empty to keep it. It stays on the server and is never shown.')
        : t('The provider of the model gives it. It stays on the server and is never shown.'),
    },
    {
      name: 'model',
      label: t('Name of the model'),
      limits: { ...limits['agent.model'], isRequired: true },
      placeholder: 'gpt-4.1-mini',
      isShown: ({ protocol }) => hasModel(protocol),
    },
    {
      name: 'instructions',
      label: t('Instructions'),
      kind: 'textarea',
      rows: 5,
      limits: limits['agent.instructions'] ?? {},
      placeholder: t('You answer visitors of our shop. Be brief and friendly.'),
      help: t(
        'Tell it who it is and what it should and should not do. Without them it answers briefly and politely.',
      ),
    },
    {
      name: 'knowledge',
      label: t('Answers from your knowledge'),
      options: [
        { value: 'all', label: t('Yes, from all files in Knowledge') },
        ...(Array.isArray(agent?.knowledge)
          ? [{ value: 'some', label: t('Only from chosen knowledge bases') }]
          : []),
        { value: 'none', label: t('No') },
      ],
      kind: 'select',
      help: t('Anybody who can open the chat may learn what is in these files.'),
    },
  ];
}

type Tested =
  | { state: 'asking' }
  | { state: 'done'; test: AgentTest }
  | { state: 'refused'; problem: string };

function AgentFields({ botId, stored, save }: Pick<FieldsProps, 'botId' | 'stored' | 'save'>) {
  const { client } = useConsole();
  const [values, setValues] = useState<FormValues>(() => valuesOf(stored));
  const [tested, setTested] = useState<Tested>();
  const isComplete =
    String(values.url).trim() !== '' && (!hasModel(values.protocol) || String(values.model).trim() !== '');
  const isAsking = tested?.state === 'asking';
  const test = async () => {
    if (isAsking || !isComplete) return;
    setTested({ state: 'asking' });
    try {
      const { test } = await client.testBotAgent({
        id: botId,
        agent: agentOf(values, stored.agent),
        question: t('Hello! In one sentence: what can you help me with?'),
      });
      setTested({ state: 'done', test });
    } catch (error) {
      const [refused] = Object.values(fieldProblems(error));
      setTested({ state: 'refused', problem: refused ?? describeProblem(error) });
    }
  };
  return (
    <>
      <Form
        label={t('A language model')}
        fields={agentFields(stored)}
        initial={valuesOf(stored)}
        button={t('Save')}
        onChange={(next) => {
          setValues(next);
          if (tested && tested.state !== 'asking') setTested(undefined);
        }}
        onSubmit={(given) => save({ id: botId, agent: agentOf(given, stored.agent) })}
      >
        <button type="button" aria-disabled={isAsking || !isComplete} onClick={test}>
          {isAsking ? t('Asking…') : t('Test')}
        </button>
      </Form>
      <p class="hint">{t('The test asks one short question, without saving anything.')}</p>
      <div role="status">{tested && <TestResult tested={tested} />}</div>
    </>
  );
}

function TestResult({ tested }: { tested: Tested }) {
  if (tested.state === 'asking')
    return (
      <div class="result" data-state="wait">
        <p>{t('Asking… This takes up to 30 seconds.')}</p>
      </div>
    );
  if (tested.state === 'refused')
    return (
      <div class="result" data-state="bad">
        <p>
          <b>{t('It could not be asked.')}</b>
        </p>
        <p>{tested.problem}</p>
      </div>
    );
  const { error, text, latencyMs, model } = tested.test;
  const seconds = (Math.max(100, latencyMs) / 1_000).toLocaleString(textLanguage(), {
    maximumFractionDigits: 1,
  });
  return (
    <div class="result" data-state={error ? 'bad' : 'good'}>
      <p>
        <b>{error ? t('It does not answer yet.') : t('It answers.')}</b>
      </p>
      {error && <p>{t(error.message)}</p>}
      {text && <blockquote dir="auto">{text}</blockquote>}
      <p class="hint">
        {error
          ? t('After {seconds} s.', { seconds })
          : model
            ? t('First words after {seconds} s, from {model}.', { seconds, model })
            : t('First words after {seconds} s.', { seconds })}
      </p>
    </div>
  );
}
