// The knowledge of a bot: files to answer from, what was read of them, and how the bot uses it.
import { useEffect, useState } from 'preact/hooks';
import type { KnowledgeBase, PlatformFile } from '../../../protocol/types/files.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { useLoaded } from '../../ui/loaded.ts';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { RowActions } from '../../ui/RowActions.tsx';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { sizeText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { FilePassages } from './FilePassages.tsx';
import { KnowledgeDrop } from './KnowledgeDrop.tsx';
import { KnowledgeUse } from './KnowledgeUse.tsx';
import type { TabProps } from './tab-props.ts';
import { UnansweredQuestions } from './UnansweredQuestions.tsx';

/** Milliseconds between two looks while files are being read. */
const lookMs = 3_000;

export function Tab({ bot }: TabProps) {
  const { filesOf, may } = useConsole();
  const [chosen, setChosen] = useState<KnowledgeBase>();
  const [turn, setTurn] = useState(0);
  const storage = useLoaded(
    async () => (await filesOf(bot.id).getFileStorage({})).storage,
    `${bot.id} ${turn}`,
  );
  return (
    <>
      <Section
        title={t('Add knowledge')}
        intro={t(
          'The bot answers from these files. A file with the same name as an earlier one replaces it.',
        )}
      >
        <KnowledgeDrop
          botId={bot.id}
          knowledgeBaseId={chosen?.id}
          onUploaded={() => setTurn((last) => last + 1)}
        />
        {storage.value && (
          <p class="hint">
            {t('Used: {files} of files, {text} of text that can be searched. One file can have up to 1 GB.', {
              files: sizeText(storage.value.files.bytes),
              text: sizeText(storage.value.vectorDb.bytes),
            })}
          </p>
        )}
      </Section>
      <Files
        botId={bot.id}
        chosen={chosen}
        turn={turn}
        onAll={() => setChosen(undefined)}
        onChange={() => setTurn((last) => last + 1)}
      />
      {may('inbox.read') && <UnansweredQuestions botId={bot.id} />}
      <KnowledgeUse botId={bot.id} />
      <Bases botId={bot.id} chosen={chosen} turn={turn} onChoose={setChosen} />
    </>
  );
}

interface FilesProps {
  botId: string;
  chosen: KnowledgeBase | undefined;
  turn: number;
  onAll(): void;
  onChange(): void;
}

const isPending = ({ status }: PlatformFile): boolean => status.endsWith('_pending');

function Files({ botId, chosen, turn, onAll, onChange }: FilesProps) {
  const { filesOf, may } = useConsole();
  const files = filesOf(botId);
  const [shown, setShown] = useState<PlatformFile>();
  const [removed, setRemoved] = useState<PlatformFile>();
  const list = usePaged(async (nextToken) => {
    const { files: items, meta } = await files.listFiles({
      ...(chosen && { tags: { kbId: chosen.id } }),
      ...(nextToken && { nextToken }),
    });
    return { items, nextToken: meta.nextToken };
  }, `${botId} ${chosen?.id} ${turn}`);
  const isReading = list.items?.some(isPending) ?? false;
  const { reload, isLoading } = list;
  useEffect(() => {
    if (!isReading || isLoading) return;
    const timer = setTimeout(reload, lookMs);
    return () => clearTimeout(timer);
  }, [isReading, isLoading, reload]);
  return (
    <Section
      title={chosen ? t('Files in {name}', { name: chosen.name }) : t('Files')}
      actions={
        chosen && (
          <button type="button" onClick={onAll}>
            {t('Show all files')}
          </button>
        )
      }
    >
      <Table
        caption={t('Files')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { name: t('Name'), cell: ({ key }) => key },
          { name: t('State'), cell: (file) => <FileState file={file} /> },
          { name: t('Size'), cell: ({ size }) => (size === null ? '–' : sizeText(size)), isNumber: true },
          {
            name: t('Actions'),
            isActions: true,
            cell: (file) => (
              <div class="buttons">
                {file.status === 'indexing_completed' && (
                  <button
                    type="button"
                    aria-label={t('What was read of {name}', { name: file.key })}
                    onClick={() => setShown(file)}
                  >
                    {t('What was read')}
                  </button>
                )}
                {may('files.delete') && (
                  <button
                    type="button"
                    class="danger"
                    aria-label={t('Delete {name}', { name: file.key })}
                    onClick={() => setRemoved(file)}
                  >
                    {t('Delete')}
                  </button>
                )}
              </div>
            ),
          },
        ]}
        empty={t(
          'There are no files yet. Good first ones: questions and answers, prices, delivery and returns.',
        )}
      />
      {shown && <FilePassages botId={botId} file={shown} onClose={() => setShown(undefined)} />}
      {removed && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: removed.key })}
          button={t('Delete the file')}
          onClose={() => setRemoved(undefined)}
          onConfirm={async () => {
            await files.deleteFile({ id: removed.id });
            list.change((items) => items.filter(({ id }) => id !== removed.id));
            toast(t('The file was deleted.'));
            onChange();
          }}
        >
          <p>{t('The bot does not answer from it any more. This cannot be undone.')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function FileState({ file: { status, failedStatusReason, warnings = [], index } }: { file: PlatformFile }) {
  const texts: Record<PlatformFile['status'], string> = {
    upload_pending: t('Waiting for the file'),
    upload_completed: index ? t('Is being read') : t('Stored, not read'),
    upload_failed: t('Not sent'),
    indexing_pending: t('Is being read'),
    indexing_completed: t('Ready'),
    indexing_failed: t('Could not be read'),
  };
  const state = status.endsWith('_failed') ? 'bad' : status === 'indexing_completed' ? 'good' : undefined;
  return (
    <>
      <span class="badge" data-state={state}>
        {texts[status]}
      </span>
      {failedStatusReason && <p class="problem">{failedStatusReason}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="hint">
          {warning}
        </p>
      ))}
    </>
  );
}

interface BasesProps {
  botId: string;
  chosen: KnowledgeBase | undefined;
  turn: number;
  onChoose(base: KnowledgeBase | undefined): void;
}

function Bases({ botId, chosen, turn, onChoose }: BasesProps) {
  const { filesOf, may } = useConsole();
  const files = filesOf(botId);
  const [dialog, setDialog] = useState<
    { kind: 'create' } | { kind: 'rename' | 'delete'; base: KnowledgeBase }
  >();
  const list = usePaged(async (nextToken) => {
    const { knowledgeBases, meta } = await files.listKnowledgeBases(nextToken ? { nextToken } : {});
    return { items: knowledgeBases, nextToken: meta.nextToken };
  }, `${botId} ${turn}`);
  const close = () => setDialog(undefined);
  const limits = { ...inputs.createKnowledgeBase.name, isRequired: true };
  return (
    <Section
      title={t('Knowledge bases')}
      intro={t('Folders for files, such as one for each language or product. One is enough at first.')}
      actions={
        may('files.create') && (
          <button type="button" onClick={() => setDialog({ kind: 'create' })}>
            {t('New knowledge base')}
          </button>
        )
      }
    >
      <Table
        caption={t('Knowledge bases')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('Name'),
            cell: (base) => (
              <>
                {base.name} {base.id === chosen?.id && <span class="badge">{t('shown above')}</span>}
              </>
            ),
          },
          {
            name: t('Actions'),
            isActions: true,
            cell: (base) => (
              <RowActions
                about={base.name}
                isMenu
                items={[
                  {
                    label: t('Files'),
                    name: t('Files in {name}', { name: base.name }),
                    onChoose() {
                      onChoose(base);
                      scrollTo({ top: 0 });
                      document.querySelector('.screen')?.scrollTo({ top: 0 });
                    },
                  },
                  may('files.update') && {
                    label: t('Rename'),
                    name: t('Rename {name}', { name: base.name }),
                    onChoose: () => setDialog({ kind: 'rename', base }),
                  },
                  may('files.delete') && {
                    label: t('Delete'),
                    name: t('Delete {name}', { name: base.name }),
                    isDanger: true,
                    onChoose: () => setDialog({ kind: 'delete', base }),
                  },
                ]}
              />
            ),
          },
        ]}
        empty={t('There are none yet. The first file creates one.')}
      />
      {(dialog?.kind === 'create' || dialog?.kind === 'rename') && (
        <Dialog
          title={
            dialog.kind === 'create'
              ? t('New knowledge base')
              : t('Rename {name}', { name: dialog.base.name })
          }
          onClose={close}
        >
          <Form
            fields={[{ name: 'name', label: t('Name'), limits }]}
            initial={{ name: dialog.kind === 'rename' ? dialog.base.name : '' }}
            button={t('Save')}
            onSubmit={async (values) => {
              const name = String(values.name).trim();
              if (dialog.kind === 'create')
                onChoose((await files.createKnowledgeBase({ name })).knowledgeBase);
              else await files.updateKnowledgeBase({ id: dialog.base.id, name });
              list.reload();
              toast(t('Saved.'));
              close();
            }}
            onCancel={close}
          />
        </Dialog>
      )}
      {dialog?.kind === 'delete' && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: dialog.base.name })}
          button={t('Delete the knowledge base')}
          onClose={close}
          onConfirm={async () => {
            await files.deleteKnowledgeBase({ id: dialog.base.id });
            list.change((items) => items.filter(({ id }) => id !== dialog.base.id));
            if (chosen?.id === dialog.base.id) onChoose(undefined);
            toast(t('The knowledge base was deleted.'));
          }}
        >
          <p>{t('Its files stay, but the bot does not find them in a knowledge base any more.')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
