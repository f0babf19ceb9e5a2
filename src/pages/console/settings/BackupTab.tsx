// The data of the server and its last backup, for operators.

import { useLoaded } from '../../ui/loaded.ts';
import { Facts, Loading, Problem, Progress, Section } from '../../ui/Page.tsx';
import { t } from '../../ui/texts.ts';
import { sizeText, timeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';

/** Days after which a backup is called old. */
const oldDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

export function BackupTab() {
  const { client } = useConsole();
  const { value, problem, reload } = useLoaded(() => client.getServerState());
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  const { version, database, files, disk, backup } = value.server;
  const isPostgres = database.engine === 'postgres';
  const isOld = backup !== undefined && Date.now() - Date.parse(backup.createdAt) > oldDays * dayMs;
  return (
    <>
      <Section title={t('Backup')}>
        {isPostgres ? (
          <p>
            {t(
              'The data is in PostgreSQL: back it up as your other databases, and keep the file user-key-secret of the data folder with it.',
            )}
          </p>
        ) : (
          <>
            <p>
              {backup ? (
                <>
                  {t('Last backup: {time}, database {size}.', {
                    time: timeText(backup.createdAt),
                    size: sizeText(backup.bytes),
                  })}{' '}
                  {isOld && (
                    <span class="badge" data-state="bad">
                      {t('Older than a week')}
                    </span>
                  )}
                </>
              ) : (
                t('The server knows of no backup.')
              )}
            </p>
            <p>
              {t(
                'This command makes one while the server runs. Run it every day, and keep copies on another machine:',
              )}
            </p>
            <pre class="code">npx platform-webchat backup FOLDER --data-dir DATA</pre>
          </>
        )}
      </Section>
      <Section title={t('Data')}>
        <Facts
          facts={[
            [t('Version'), version],
            [t('Database'), `${isPostgres ? 'PostgreSQL' : 'SQLite'}, ${sizeText(database.bytes)}`],
            [t('Files'), files === 'folder' ? t('In the data folder') : t('In an object store')],
          ]}
        />
        {disk && (
          <>
            <Progress
              label={t('Disk')}
              value={disk.totalBytes - disk.freeBytes}
              max={disk.totalBytes}
              text={t('{free} of {total} free', {
                free: sizeText(disk.freeBytes),
                total: sizeText(disk.totalBytes),
              })}
            />
            {disk.freeBytes < disk.reserveBytes && (
              <p class="problem">
                {t('The disk is nearly full: visitors cannot write until there is space.')}
              </p>
            )}
          </>
        )}
      </Section>
    </>
  );
}
