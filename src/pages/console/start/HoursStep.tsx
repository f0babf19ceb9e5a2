// When people of the team answer.
import { HoursSettings } from '../../inbox/app/settings/HoursSettings.tsx';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { Link } from '../Link.tsx';
import type { StepProps } from './step.ts';

export function HoursStep({ onSaved }: StepProps) {
  const { client, member } = useConsole();
  return (
    <>
      <HoursSettings api={client} permissions={member.value.permissions} onSaved={onSaved} />
      <p class="hint">
        <Link to={{ page: 'team' }}>{t('Invite the people who answer')}</Link>
      </p>
    </>
  );
}
