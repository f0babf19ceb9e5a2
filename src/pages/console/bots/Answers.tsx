// The tab for answers of a bot: the choice of who answers, a test, and the failures of the last days.
import { Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { AnswersForm } from './AnswersForm.tsx';
import { BotErrors } from './BotErrors.tsx';
import { Secrets } from './Secrets.tsx';
import type { TabProps } from './tab-props.ts';

export function Tab({ bot }: TabProps) {
  const { may } = useConsole();
  return (
    <>
      <Section
        title={t('Who answers')}
        intro={t('People of your team can answer in the inbox in any case. Choose who answers before them.')}
      >
        <AnswersForm botId={bot.id} />
      </Section>
      {may('logs.read') && <BotErrors botId={bot.id} />}
      {may('tokens.write') && <Secrets botId={bot.id} />}
    </>
  );
}
