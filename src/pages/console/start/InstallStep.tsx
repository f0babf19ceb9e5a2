// The tag for the pages of the site, and whether the chat is seen there.

import { t } from '../../ui/texts.ts';
import { PolicyLines } from '../bots/Install.tsx';
import { InstallCheck } from '../bots/InstallCheck.tsx';
import { InstallCode } from '../bots/InstallCode.tsx';
import type { StepProps } from './step.ts';

export function InstallStep({ bot }: StepProps) {
  return (
    <>
      <InstallCode botId={bot.id} />
      <details>
        <summary>{t('If your site has a Content-Security-Policy')}</summary>
        <PolicyLines botId={bot.id} />
      </details>
      <h3 class="subheading">{t('Check your page')}</h3>
      <InstallCheck botId={bot.id} />
    </>
  );
}
