// Name, picture and color of the bot, with a live chat beside them.
import { useMemo, useState } from 'preact/hooks';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import { Form, type FormField, type FormValues } from '../../ui/Form.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { changeWebchat } from '../bots/webchat-changes.ts';
import { ChatPreview } from '../ChatPreview.tsx';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import type { StepProps } from './step.ts';

const usualColor = '#3276ea';

const fields = (): FormField[] => [
  { name: 'botName', label: t('Name'), limits: { isRequired: true, maxLength: 100 } },
  {
    name: 'botDescription',
    label: t('One line about it'),
    help: t('Below the name, such as “Answers questions about orders”.'),
  },
  {
    name: 'botAvatar',
    label: t('Address of a picture'),
    kind: 'url',
    help: t('Square, at least 96 pixels wide. Without one, the chat shows the first letter of the name.'),
  },
  { name: 'color', label: t('Color'), kind: 'color' },
  {
    name: 'themeMode',
    label: t('Light or dark'),
    options: [
      { value: 'light', label: t('Light') },
      { value: 'dark', label: t('Dark') },
      { value: 'auto', label: t('As the visitor’s device') },
      { value: 'page', label: t('As the page') },
    ],
  },
];

/** The fields of the form; undefined for an empty one, which is unset. */
const fieldsOf = (values: FormValues): Configuration =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' ? undefined : value]),
  ) as Configuration;

export function LookStep({ bot, onSaved }: StepProps) {
  const { client } = useConsole();
  const [changes, setChanges] = useState<Configuration>();
  const loaded = useLoaded(async () => (await client.getBotWebchat({ id: bot.id })).configuration, bot.id);
  const { value: stored, problem, reload } = loaded;
  const shown = useMemo(
    (): Configuration => ({ botName: bot.name, ...stored, ...changes }),
    [bot.name, stored, changes],
  );
  if (!stored) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  const initial: FormValues = {
    botName: stored.botName ?? bot.name,
    botDescription: stored.botDescription ?? '',
    botAvatar: stored.botAvatar ?? '',
    color: (stored.color ?? usualColor).toLowerCase(),
    themeMode: stored.themeMode ?? 'light',
  };
  return (
    <div class="with-preview">
      <div>
        <Form
          fields={fields()}
          initial={initial}
          button={t('Save')}
          success={t('Saved. Visitors see it within five minutes.')}
          onChange={(values) => setChanges(fieldsOf(values))}
          onSubmit={async (values) => {
            loaded.set(await changeWebchat(client, bot.id, () => fieldsOf(values)));
            onSaved();
          }}
        />
        <p class="hint">
          <Link to={{ page: 'bots', bot: bot.id, tab: 'appearance' }}>
            {t('All fields of the appearance')}
          </Link>
        </p>
      </div>
      <ChatPreview webhookId={bot.webhookId} configuration={shown} />
    </div>
  );
}
