// A place to drop or choose files for the knowledge of a bot, with their progress. The first steps use it, too.
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeProblem } from '../../ui/errors.ts';
import { Icon } from '../../ui/Icon.tsx';
import { t } from '../../ui/texts.ts';
import { sizeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';
import { uploadToKnowledge } from './upload.ts';

interface Props {
  botId: string;
  /** The knowledge base of the files; without it the newest, or a new one. */
  knowledgeBaseId?: string | undefined;
  /** Called after a file was sent: the server reads it now. */
  onUploaded?(): void;
}

interface Upload {
  id: number;
  name: string;
  size: number;
  sent: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  problem: string;
}

/** Uploads at a time. */
const parallel = 3;
let lastId = 0;

export function KnowledgeDrop({ botId, knowledgeBaseId, onUploaded }: Props) {
  const { filesOf, may, base } = useConsole();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const closing = useRef(new AbortController());
  /** The files that wait, in their order, and the number of those that are sent. */
  const queue = useRef<{ id: number; file: File }[]>([]);
  const running = useRef(0);
  const baseId = useRef<Promise<string> | undefined>(undefined);
  useEffect(() => {
    closing.current = new AbortController();
    const { current } = closing;
    return () => current.abort();
  }, []);
  useEffect(() => {
    baseId.current = undefined;
  }, [botId, knowledgeBaseId]);

  const files = filesOf(botId);
  const change = (id: number, fields: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));

  async function baseOfFiles(): Promise<string> {
    if (knowledgeBaseId) return knowledgeBaseId;
    const { knowledgeBases } = await files.listKnowledgeBases({});
    const [newest] = knowledgeBases;
    if (newest) return newest.id;
    return (await files.createKnowledgeBase({ name: t('Knowledge') })).knowledgeBase.id;
  }

  async function send({ id, file }: { id: number; file: File }): Promise<void> {
    const { signal } = closing.current;
    change(id, { state: 'sending' });
    try {
      baseId.current ??= baseOfFiles();
      await uploadToKnowledge(files, file, {
        base,
        knowledgeBaseId: await baseId.current,
        signal,
        onProgress: (sent) => change(id, { sent }),
      });
      change(id, { state: 'done', sent: file.size });
      onUploaded?.();
    } catch (error) {
      if (signal.aborted) return;
      baseId.current = undefined;
      change(id, { state: 'failed', problem: describeProblem(error) });
    }
  }

  function next(): void {
    while (running.current < parallel) {
      const one = queue.current.shift();
      if (!one) return;
      running.current += 1;
      void send(one).finally(() => {
        running.current -= 1;
        next();
      });
    }
  }

  const add = (list: FileList | null | undefined) => {
    const added = [...(list ?? [])].map((file) => {
      lastId += 1;
      return { id: lastId, file };
    });
    setUploads((all) => [
      ...all.filter(({ state }) => state !== 'done'),
      ...added.map(({ id, file }) => ({
        ...{ id, name: file.name, size: file.size, sent: 0, problem: '' },
        state: 'waiting' as const,
      })),
    ]);
    queue.current.push(...added);
    next();
  };

  if (!may('files.create'))
    return <p class="hint">{t('Your role does not allow you to add files. Developers and managers can.')}</p>;
  return (
    <>
      {/* Dropping is for the mouse; the button does the same for all others. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      <div
        class="drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          add(event.dataTransfer?.files);
        }}
      >
        <Icon name="upload" />
        <p>
          {t(
            'Drop files here, or choose them. PDF, Word, Excel, PowerPoint, Markdown, text, HTML and CSV are read.',
          )}
        </p>
        <button type="button" class="main" onClick={() => input.current?.click()}>
          {t('Choose files')}
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={t('Choose files')}
          onChange={({ currentTarget }) => {
            add(currentTarget.files);
            // The same file can be chosen again.
            currentTarget.value = '';
          }}
        />
      </div>
      <p class="visually-hidden" role="status">
        {uploads.length > 0 &&
          t('{done} of {count} files sent', {
            done: uploads.filter(({ state }) => state === 'done').length,
            count: uploads.length,
          })}
      </p>
      <ul class="uploads">
        {uploads.map(({ id, name, size, sent, state, problem }) => (
          <li key={id}>
            <div class="progress">
              <span>{name}</span>
              <span class="progress-text">
                {state === 'done'
                  ? t('Sent')
                  : state === 'failed'
                    ? t('Failed')
                    : state === 'waiting'
                      ? t('Waiting')
                      : `${sizeText(sent)} / ${sizeText(size)}`}
              </span>
              {state === 'sending' && <progress aria-label={name} value={sent} max={Math.max(1, size)} />}
            </div>
            {problem && <p class="problem">{problem}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
