// New secrets for a bot, after somebody else may have learnt them.
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';

export function Secrets({ botId }: { botId: string }) {
  const { client } = useConsole();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section
      title={t('Secrets')}
      intro={t(
        'Your site signs the identity of its users, and this server its requests to your program, with secrets of the bot. Replace them if somebody else may know them.',
      )}
    >
      <button type="button" class="danger" onClick={() => setIsAsking(true)}>
        {t('Replace the secrets')}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={t('Replace the secrets?')}
          button={t('Replace the secrets')}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await client.rotateBotSecrets({ id: botId });
            toast(t('The secrets were replaced.'));
          }}
        >
          <p>
            {t(
              'Visitors whom your site identifies are signed out, and your program refuses requests, until both have the new secrets. Programs read them with getBotDeployment.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
