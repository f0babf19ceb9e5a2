// Puts the chat of a bot on a site: the tag, a check, and what a strict site needs.
import { contentSecurityPolicy } from '../../../protocol/page-api/csp.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useLoaded } from '../../ui/loaded.ts';
import { Loading, Problem, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { InstallCheck } from './InstallCheck.tsx';
import { InstallCode } from './InstallCode.tsx';
import type { TabProps } from './tab-props.ts';

export function Tab({ bot }: TabProps) {
  return (
    <>
      <Section
        title={t('1. Put the chat on your site')}
        intro={t(
          'Paste this line into each page that should have the chat, before </body>. Shop systems and site builders have a place for it, often named “custom code” or “scripts”.',
        )}
      >
        <InstallCode botId={bot.id} />
      </Section>
      <Section
        title={t('2. Check it')}
        intro={t('Your page opens in a new tab. Here you see whether it requested the chat.')}
      >
        <InstallCheck botId={bot.id} />
      </Section>
      <Section
        title={t('If your site has a Content-Security-Policy')}
        intro={t(
          'Most sites have none: then you need nothing of this. Otherwise add these sources to those that your site has already.',
        )}
      >
        <PolicyLines botId={bot.id} />
      </Section>
    </>
  );
}

export function PolicyLines({ botId }: { botId: string }) {
  const { client } = useConsole();
  const { value, problem, reload } = useLoaded(async () => {
    const { configuration, code = '' } = await client.getBotWebchat({ id: botId, type: 'sharableUrl' });
    const chatUrl = code.replace(/\/page$/, '');
    const { directives } = contentSecurityPolicy({ chatUrl, configuration, trustedTypes: false });
    return Object.entries(directives)
      .filter(([name]) => name !== 'default-src')
      .map(([name, sources]) => `${name} ${sources.join(' ')}`)
      .join(';\n');
  }, botId);
  if (value === undefined) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  return (
    <>
      <pre class="code">{value}</pre>
      <div class="buttons">
        <CopyButton label={t('Copy the lines')} text={() => value} />
      </div>
    </>
  );
}
