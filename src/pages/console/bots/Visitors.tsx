// The visitors of a bot: their list, all data of one to keep, and its deletion.
import { useState } from 'preact/hooks';
import type { Visitor } from '../../../protocol/types/visitors.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { RowActions } from '../../ui/RowActions.tsx';
import { useRequests } from '../../ui/requests.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { dateText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';

const nameOf = ({ name, id }: Visitor): string => name || id;

export function Visitors({ botId }: { botId: string }) {
  const { client, may } = useConsole();
  const [wanted, setWanted] = useState('');
  const [userId, setUserId] = useState('');
  const [exported, setExported] = useState<Visitor>();
  const [removed, setRemoved] = useState<Visitor>();
  const [signedOut, setSignedOut] = useState<Visitor>();
  const list = usePaged(async (nextToken) => {
    const { users, meta } = await client.listVisitors({
      id: botId,
      ...(userId && { userId }),
      ...(nextToken && { nextToken }),
    });
    return { items: users, nextToken: meta.nextToken };
  }, `${botId} ${userId}`);
  return (
    <Section
      title={t('Visitors')}
      intro={t('For requests of visitors about their data: give them all of it, or delete it.')}
    >
      <form
        class="inline search-line"
        onSubmit={(event) => {
          event.preventDefault();
          setUserId(wanted.trim());
        }}
      >
        <label>
          {t('Id of the visitor')}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
              if (currentTarget.value === '') setUserId('');
            }}
          />
        </label>
        <button type="submit">{t('Find')}</button>
      </form>
      <Table
        caption={t('Visitors')}
        list={list}
        keyOf={({ serverId }) => serverId}
        columns={[
          {
            name: t('Name'),
            cell: (visitor) => (
              <div class="named">
                <Avatar name={nameOf(visitor)} />
                <span dir="auto">{visitor.name || t('Without a name')}</span>
              </div>
            ),
          },
          { name: t('Id'), cell: ({ id }) => <code>{id}</code> },
          {
            name: t('Since'),
            cell: ({ createdAt }) => dateText(createdAt),
          },
          {
            name: t('Actions'),
            isActions: true,
            cell: (visitor) => (
              <RowActions
                about={nameOf(visitor)}
                isFirstShown
                items={[
                  {
                    label: t('Export'),
                    name: t('Export the data of {name}', { name: nameOf(visitor) }),
                    onChoose: () => setExported(visitor),
                  },
                  may('users.write') && {
                    label: t('Sign out'),
                    name: t('Sign out {name}', { name: nameOf(visitor) }),
                    onChoose: () => setSignedOut(visitor),
                  },
                  may('users.write') && {
                    label: t('Delete'),
                    name: t('Delete {name}', { name: nameOf(visitor) }),
                    isDanger: true,
                    onChoose: () => setRemoved(visitor),
                  },
                ]}
              />
            ),
          },
        ]}
        empty={userId ? t('No visitor has this id.') : t('Nobody has written yet.')}
      />
      {exported && <ExportDialog botId={botId} visitor={exported} onClose={() => setExported(undefined)} />}
      {signedOut && (
        <ConfirmDialog
          title={t('Sign out {name}?', { name: nameOf(signedOut) })}
          button={t('Sign out the visitor')}
          onClose={() => setSignedOut(undefined)}
          onConfirm={async () => {
            await client.revokeUserKeys({ id: botId, userId: signedOut.id });
            toast(t('The visitor was signed out in all browsers.'));
          }}
        >
          <p>
            {t(
              'All browsers lose the conversations of this visitor at once. Your site can identify the visitor again.',
            )}
          </p>
        </ConfirmDialog>
      )}
      {removed && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: nameOf(removed) })}
          button={t('Delete the visitor')}
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            await client.deleteVisitor({ id: botId, userId: removed.serverId });
            list.change((items) => items.filter(({ serverId }) => serverId !== removed.serverId));
            toast(t('The visitor was deleted.'));
          }}
        >
          <p>
            {t(
              'Profile, conversations, files and e-mail address of this visitor are deleted. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface ExportProps {
  botId: string;
  visitor: Visitor;
  onClose(): void;
}

function ExportDialog({ botId, visitor, onClose }: ExportProps) {
  const { client, may, base } = useConsole();
  const requests = useRequests();
  const [archive, setArchive] = useState('');
  const userId = visitor.serverId;
  const saveJson = () =>
    requests.run(async () => {
      const items: unknown[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.exportVisitor({ id: botId, userId, ...(nextToken && { nextToken }) });
        items.push(...page.items);
        nextToken = page.meta.nextToken;
      } while (nextToken);
      save(new Blob([JSON.stringify(items, null, 2)], { type: 'application/json' }), `${userId}.json`);
    }, t('The file was saved.'));
  const makeArchive = () =>
    requests.run(async () => {
      const { url } = await client.createVisitorArchive({ id: botId, userId });
      const { pathname } = new URL(url);
      // At the address of this page, whose session is not needed: whoever has the address can download it.
      setArchive(new URL(pathname.slice(pathname.indexOf('/v1/') + 1), base).href);
    });
  return (
    <Dialog title={t('Export the data of {name}', { name: nameOf(visitor) })} onClose={onClose}>
      <p>
        {t(
          'The archive contains readable conversations and files, and the notes of your team in a folder of their own. JSON is for programs, without files.',
        )}
      </p>
      <div class="buttons">
        {may('privacy.write') &&
          (archive ? (
            <a class="button main" href={archive} download>
              {t('Download the archive (within ten minutes)')}
            </a>
          ) : (
            <button type="button" class="main" aria-disabled={requests.isBusy} onClick={makeArchive}>
              {t('Make an archive')}
            </button>
          ))}
        <button type="button" aria-disabled={requests.isBusy} onClick={saveJson}>
          {t('Save as JSON')}
        </button>
      </div>
      {!may('privacy.write') && <p class="hint">{t('Only administrators can make an archive.')}</p>}
      <p role="status">{requests.message}</p>
    </Dialog>
  );
}

/** Lets the browser save a file. */
function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
