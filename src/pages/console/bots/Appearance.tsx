// The look and the texts of a chat: a form in groups, a live chat beside it, and the versions to go back to.
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { Bot } from '../../../protocol/types/bots.ts';
import { Form } from '../../ui/Form.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { ChatPreview } from '../ChatPreview.tsx';
import { useConsole } from '../console.ts';
import { fieldGroups } from './configuration-fields.ts';
import { configurationOf, formFieldsOf, previewOf, valuesOf } from './configuration-form.ts';
import type { TabProps } from './tab-props.ts';
import { WebchatVersions } from './WebchatVersions.tsx';

export function Tab({ bot }: TabProps) {
  const { client } = useConsole();
  const { value, problem, reload } = useLoaded(async () => {
    const [{ configuration }, { deployment }] = await Promise.all([
      client.getBotWebchat({ id: bot.id }),
      client.getBotDeployment({ id: bot.id }),
    ]);
    return { configuration, webhookId: deployment.webhookId };
  }, bot.id);
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  return <Editor bot={bot} {...value} />;
}

interface EditorProps {
  bot: Bot;
  configuration: Configuration;
  webhookId: string;
}

function Editor({ bot, configuration, webhookId }: EditorProps) {
  const { client, may } = useConsole();
  const groups = fieldGroups();
  const [group, setGroup] = useState(groups[0]?.id);
  const [stored, setStored] = useState(configuration);
  const [draft, setDraft] = useState(configuration);
  /** On a phone: the form or the chat. */
  const [pane, setPane] = useState<'form' | 'chat'>('form');
  const [version, setVersion] = useState(0);
  const latest = useRef(draft);
  const chosen = groups.find(({ id }) => id === group) ?? groups[0];
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const change = (next: Configuration) => {
    latest.current = next;
    setDraft(next);
  };
  const show = (next: Configuration) => {
    change(next);
    setStored(next);
    setVersion((last) => last + 1);
  };
  const publish = async () => {
    // The fields of the other tabs stay as they are stored now.
    const { configuration: newest } = await client.getBotWebchat({ id: bot.id });
    const { preChatForm, deleteData, privacyPolicy, termsOfService } = newest;
    const others = { preChatForm, deleteData, privacyPolicy, termsOfService };
    const whole = { ...latest.current, ...others };
    const input = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
    const { configuration: saved } = await client.setBotWebchat({ id: bot.id, configuration: input });
    show(saved);
    toast(t('Published: visitors see it within five minutes.'));
  };
  const mayChange = may('webchat.update');
  const shown = useMemo(() => previewOf(stored, draft), [stored, draft]);
  return (
    <>
      <fieldset class="switch phone-only">
        <legend class="visually-hidden">{t('View')}</legend>
        {(['form', 'chat'] as const).map((each) => (
          <label key={each}>
            <input type="radio" name="pane" checked={pane === each} onChange={() => setPane(each)} />
            <span>{each === 'form' ? t('Settings') : t('Preview')}</span>
          </label>
        ))}
      </fieldset>
      <div class="editor" data-pane={pane}>
        <Section
          title={t('Look and texts')}
          intro={
            mayChange
              ? t('The preview changes at once. Visitors see it after you publish.')
              : t('Your role does not allow you to change this. Developers and managers can.')
          }
        >
          <div class="field">
            <label for="appearance-group">{t('Part')}</label>
            <select
              id="appearance-group"
              value={chosen?.id}
              onChange={({ currentTarget }) => setGroup(currentTarget.value)}
            >
              {groups.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </div>
          {chosen && (
            <fieldset disabled={!mayChange}>
              <legend class="visually-hidden">{chosen.title}</legend>
              <Form
                key={`${chosen.id} ${version}`}
                label={chosen.title}
                fields={formFieldsOf(chosen)}
                initial={valuesOf(groups, draft)}
                button={t('Publish')}
                onChange={(values) => change(configurationOf(chosen, values, latest.current))}
                onSubmit={publish}
              >
                {isChanged && (
                  <button type="button" onClick={() => show(stored)}>
                    {t('Discard the changes')}
                  </button>
                )}
              </Form>
            </fieldset>
          )}
          <p class="hint" role="status">
            {isChanged ? t('There are changes that are not published yet.') : ''}
          </p>
        </Section>
        <ChatPreview key={version} webhookId={webhookId} configuration={shown} />
      </div>
      <WebchatVersions
        key={version}
        botId={bot.id}
        onRestore={async (configuration) => {
          const { configuration: saved } = await client.setBotWebchat({ id: bot.id, configuration });
          show(saved);
        }}
      />
    </>
  );
}
