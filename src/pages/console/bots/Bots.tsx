// The bots of the workspace: their list, and the screen of one.
import { useState } from 'preact/hooks';
import type { Bot } from '../../../protocol/types/bots.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { inputs } from '../../ui/inputs.ts';
import { Page, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { RowActions } from '../../ui/RowActions.tsx';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import type { ConsoleRoute } from '../route.ts';
import { BotScreen } from './BotScreen.tsx';
import './style/bots.css';

export function Screen({ route }: { route: ConsoleRoute }) {
  return route.bot ? <BotScreen key={route.bot} id={route.bot} tab={route.tab} /> : <BotList />;
}

const answersOf = (kind: Bot['answeredBy']): string =>
  ({
    agent: t('A language model or agent'),
    webhook: t('A program at a web address'),
    code: t('Code on the server'),
    server: t('The bot of the server settings'),
    people: t('People only'),
  })[kind ?? 'people'];

function BotList() {
  const { client, may, router } = useConsole();
  const [dialog, setDialog] = useState<{ kind: 'create' } | { kind: 'rename' | 'delete'; bot: Bot }>();
  const bots = usePaged(async (nextToken) => {
    const { bots, meta } = await client.listBots(nextToken ? { nextToken } : {});
    return { items: bots, nextToken: meta.nextToken };
  }, 'bots');
  const close = () => setDialog(undefined);
  return (
    <Page
      title={t('Bots')}
      actions={
        may('bots.create') && (
          <button type="button" class="main" onClick={() => setDialog({ kind: 'create' })}>
            <Icon name="plus" />
            {t('New bot')}
          </button>
        )
      }
    >
      <Section
        title={t('Bots of this workspace')}
        intro={t('Each bot is a chat of its own: with its own look, its own answers and its own visitors.')}
      >
        <Table
          caption={t('Bots')}
          list={bots}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t('Name'),
              cell: ({ id, name }) => (
                <Link class="row-link" to={{ page: 'bots', bot: id, tab: 'answers' }}>
                  <Avatar name={name} kind="bot" />
                  {name}
                </Link>
              ),
            },
            { name: t('Answered by'), cell: ({ answeredBy }) => answersOf(answeredBy) },
            {
              name: t('Actions'),
              isActions: true,
              cell: (bot) => (
                <RowActions
                  about={bot.name}
                  items={[
                    may('bots.update') && {
                      label: t('Rename'),
                      name: t('Rename {name}', { name: bot.name }),
                      onChoose: () => setDialog({ kind: 'rename', bot }),
                    },
                    may('bots.delete') && {
                      label: t('Delete'),
                      name: t('Delete {name}', { name: bot.name }),
                      isDanger: true,
                      onChoose: () => setDialog({ kind: 'delete', bot }),
                    },
                  ]}
                />
              ),
            },
          ]}
          empty={
            may('bots.create')
              ? t('There are no bots yet. Create the first one: it gets its own chat.')
              : t('There are no bots yet.')
          }
        />
        {!may('bots.create') && (
          <p class="hint">{t('Your role does not allow you to create bots. Developers and managers can.')}</p>
        )}
      </Section>
      {dialog?.kind === 'create' && (
        <Dialog title={t('New bot')} onClose={close}>
          <Form
            fields={[
              {
                name: 'name',
                label: t('Name'),
                help: t('Visitors see it at the top of the chat. You can change it at any time.'),
                limits: { ...inputs.createBot.name, isRequired: true },
                placeholder: t('Help desk'),
              },
            ]}
            button={t('Create the bot')}
            onSubmit={async ({ name }) => {
              const { bot } = await client.createBot({ name: String(name).trim() });
              toast(t('The bot was created. Choose who answers.'));
              router.go({ page: 'bots', bot: bot.id, tab: 'answers' });
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {dialog?.kind === 'rename' && (
        <Dialog title={t('Rename {name}', { name: dialog.bot.name })} onClose={close}>
          <Form
            fields={[
              {
                name: 'name',
                label: t('Name'),
                limits: { ...inputs.updateBot.name, isRequired: true },
              },
            ]}
            initial={{ name: dialog.bot.name }}
            button={t('Save')}
            onSubmit={async ({ name }) => {
              const { bot } = await client.updateBot({ id: dialog.bot.id, name: String(name).trim() });
              bots.change((items) =>
                items.map((item) => (item.id === bot.id ? { ...item, name: bot.name } : item)),
              );
              toast(t('The bot was renamed.'));
              close();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: dialog.bot.name })}
          button={t('Delete the bot')}
          onClose={close}
          onConfirm={async () => {
            await client.deleteBot({ id: dialog.bot.id });
            bots.change((items) => items.filter(({ id }) => id !== dialog.bot.id));
            toast(t('The bot was deleted.'));
          }}
        >
          <p>{t('This cannot be undone. These are deleted with it:')}</p>
          <ul class="bullets">
            <li>{t('its visitors and all of their conversations, also in the inbox')}</li>
            <li>{t('its knowledge, files and tables')}</li>
            <li>{t('its look and settings, and the access of programs to it')}</li>
          </ul>
          <p>{t('Pages that still contain its chat show no chat any more.')}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
