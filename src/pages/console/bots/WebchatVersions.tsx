// The versions of the configuration of a chat, to go back to.
import { useState } from 'preact/hooks';
import type { Configuration } from '../../../protocol/page-api/config.ts';
import type { WebchatVersion } from '../../../protocol/types/bots.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { fieldGroups } from './configuration-fields.ts';

interface Props {
  botId: string;
  onRestore(configuration: Configuration): Promise<void>;
}

export function WebchatVersions({ botId, onRestore }: Props) {
  const { client, may } = useConsole();
  const [chosen, setChosen] = useState<WebchatVersion>();
  const list = usePaged(async (nextToken) => {
    const { versions, meta } = await client.listBotWebchatVersions({
      id: botId,
      ...(nextToken && { nextToken }),
    });
    return { items: versions, nextToken: meta.nextToken };
  }, botId);
  const items = list.items ?? [];
  return (
    <Section
      title={t('Earlier versions')}
      intro={t('Each time somebody publishes, the look and texts are kept: the newest 50.')}
    >
      <Table
        caption={t('Earlier versions')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          { name: t('Time'), cell: ({ createdAt }) => timeText(createdAt) },
          { name: t('By'), cell: ({ memberName }) => memberName ?? '–' },
          { name: t('Changed'), cell: (version) => changesOf(version, items[items.indexOf(version) + 1]) },
          {
            name: t('Actions'),
            isActions: true,
            cell: (version) =>
              version === items[0] ? (
                <span class="badge" data-state="good">
                  {t('Now')}
                </span>
              ) : (
                may('webchat.update') && (
                  <button
                    type="button"
                    aria-label={t('Go back to {time}', { time: timeText(version.createdAt) })}
                    onClick={() => setChosen(version)}
                  >
                    {t('Go back to it')}
                  </button>
                )
              ),
          },
        ]}
        empty={t('There are none yet.')}
      />
      {chosen && (
        <ConfirmDialog
          title={t('Go back to {time}?', { time: timeText(chosen.createdAt) })}
          button={t('Publish this version')}
          onClose={() => setChosen(undefined)}
          onConfirm={async () => {
            await onRestore(chosen.configuration);
            toast(t('Published: visitors see it within five minutes.'));
          }}
        >
          <p>{t('Visitors see the look and texts of that time. The present ones stay in this list.')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** The labels of the fields that differ from the version before. */
function changesOf({ configuration }: WebchatVersion, before: WebchatVersion | undefined): string {
  if (!before) return '';
  const labels = new Map(
    fieldGroups().flatMap(({ fields }) => fields.map(({ name, label }) => [String(name), label])),
  );
  const names = new Set([...Object.keys(configuration), ...Object.keys(before.configuration)]);
  const valueIn = (version: Configuration, name: string) =>
    JSON.stringify(version[name as keyof Configuration]);
  const changed = [...names].filter(
    (name) => valueIn(configuration, name) !== valueIn(before.configuration, name),
  );
  const texts = [...new Set(changed.map((name) => labels.get(name) ?? t('Other settings')))];
  return texts.length > 3
    ? t('{list} and {count} more', { list: texts.slice(0, 3).join(', '), count: texts.length - 3 })
    : texts.join(', ');
}
