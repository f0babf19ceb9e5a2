// The documents from which the bot may answer.
import { useEffect, useState } from 'preact/hooks';
import { counted, t } from '../../ui/texts.ts';
import { KnowledgeDrop } from '../bots/KnowledgeDrop.tsx';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import type { StepProps } from './step.ts';

/** Milliseconds between two looks at documents that are being read. */
const lookMs = 2_000;

interface Read {
  ready: number;
  pending: number;
  failed: number;
}

export function KnowledgeStep({ bot, onSaved }: StepProps) {
  const { filesOf } = useConsole();
  const [read, setRead] = useState<Read>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const closing = new AbortController();
    const { signal } = closing;
    const look = async () => {
      const files = await filesOf(bot.id).list.files({}, { signal }).collect({ limit: 500 });
      const count = (ending: string) => files.filter(({ status }) => status.endsWith(ending)).length;
      const found = {
        ready: count('indexing_completed'),
        pending: count('_pending'),
        failed: count('_failed'),
      };
      setRead(found);
      if (found.pending > 0) timer = setTimeout(() => void look().catch(() => {}), lookMs);
    };
    look().catch(() => {});
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [bot.id, turn]);
  return (
    <>
      <KnowledgeDrop
        botId={bot.id}
        onUploaded={() => {
          setTurn((last) => last + 1);
          onSaved();
        }}
      />
      <p role="status">
        {read &&
          [
            read.ready > 0 &&
              counted(read.ready, '{count} document was read.', '{count} documents were read.'),
            read.pending > 0 &&
              counted(read.pending, '{count} document is being read.', '{count} documents are being read.'),
            read.failed > 0 &&
              counted(
                read.failed,
                '{count} document could not be read.',
                '{count} documents could not be read.',
              ),
          ]
            .filter(Boolean)
            .join(' ')}
      </p>
      <p class="hint">
        <Link to={{ page: 'bots', bot: bot.id, tab: 'knowledge' }}>
          {t('All documents, and what was read from them')}
        </Link>
      </p>
    </>
  );
}
