// The tag that puts the chat of a bot on a page, to copy. The first steps use it, too.
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';

export function InstallCode({ botId }: { botId: string }) {
  const { client } = useConsole();
  const { value, problem, reload } = useLoaded(
    async () => (await client.getBotSnippet({ id: botId })).snippet,
    botId,
  );
  if (value === undefined) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  return (
    <>
      <section aria-label={t('Code of the chat')}>
        <pre class="code">{value}</pre>
      </section>
      <div class="buttons">
        <CopyButton label={t('Copy the code')} text={() => value} />
      </div>
    </>
  );
}
