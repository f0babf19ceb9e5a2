// The passages of a file as the server has read them, which it searches.
import type { PlatformFile } from '../../../protocol/types/files.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loading, Problem } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { counted, t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';

interface Props {
  botId: string;
  file: PlatformFile;
  onClose(): void;
}

export function FilePassages({ botId, file, onClose }: Props) {
  const { filesOf } = useConsole();
  const list = usePaged(async (nextToken) => {
    const { passages, meta } = await filesOf(botId).listFilePassages({
      id: file.id,
      pageSize: 200,
      ...(nextToken && { nextToken }),
    });
    return { items: passages, nextToken: meta.nextToken };
  }, file.id);
  const { items, hasMore, problem, more, reload } = list;
  return (
    <Dialog title={t('What was read of {name}', { name: file.key })} onClose={onClose}>
      {!items ? (
        problem ? (
          <Problem text={problem} onRetry={reload} />
        ) : (
          <Loading />
        )
      ) : (
        <>
          <p role="status">
            {items.length === 0
              ? t('No text was found in this file. Perhaps its pages are pictures.')
              : hasMore
                ? t('The first {count} passages:', { count: items.length })
                : counted(items.length, '{count} passage', '{count} passages')}
          </p>
          {/* It scrolls, so it must be reachable by keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
          <ul class="passages" tabIndex={0} aria-label={t('Passages')}>
            {items.map(({ id, content }) => (
              <li key={id} dir="auto">
                {content}
              </li>
            ))}
          </ul>
          {hasMore && (
            <button type="button" onClick={more}>
              {t('Show more')}
            </button>
          )}
        </>
      )}
    </Dialog>
  );
}
