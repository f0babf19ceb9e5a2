// The audit trail of the workspace, with filters, newest entries first.
import { useState } from 'preact/hooks';
import { adminApi } from '../../../client/operations/admin.ts';
import type { AuditEntry } from '../../../protocol/types/admin.ts';
import { Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';
import { useNames } from './names.ts';
import { operationText } from './operation-texts.ts';

/** The operations that are recorded most: those of the Admin API that write, and what the server does by itself. */
const operations = [
  ...Object.entries(adminApi.routes)
    .filter(([, route]) => !route.startsWith('GET '))
    .map(([name]) => name),
  'signInWithPassword',
  'useSignInLink',
  'changePassword',
  'applyRetention',
  'setAdminToken',
];

export function AuditTab() {
  const { client } = useConsole();
  const [actor, setActor] = useState('');
  const [operation, setOperation] = useState('');
  const { members, bots } = useNames();
  const names = new Map([...members, ...bots]);
  const list = usePaged(async (nextToken) => {
    const { entries, meta } = await client.listAuditLog({
      ...(nextToken && { nextToken }),
      ...(actor && { actor }),
      ...(operation && { operation }),
    });
    return { items: entries, nextToken: meta.nextToken };
  }, `${actor} ${operation}`);
  const named = operations.map((name) => ({ name, text: operationText(name) }));
  return (
    <Section
      title={t('Audit trail')}
      intro={t(
        'Changes in this workspace, and attempts that were refused. Nobody can change or delete an entry.',
      )}
    >
      <search class="filters">
        <label>
          {t('By')}
          <select value={actor} onChange={({ currentTarget }) => setActor(currentTarget.value)}>
            <option value="">{t('Everybody')}</option>
            {[...members].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="bot">{t('Bots')}</option>
            <option value="integration">{t('Integrations')}</option>
            <option value="server">{t('The server')}</option>
          </select>
        </label>
        <label>
          {t('Action')}
          <select value={operation} onChange={({ currentTarget }) => setOperation(currentTarget.value)}>
            <option value="">{t('All actions')}</option>
            {named
              .toSorted((a, b) => a.text.localeCompare(b.text))
              .map(({ name, text }) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
          </select>
        </label>
      </search>
      <Table
        caption={t('Audit trail')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('Action'),
            cell: (entry) => (
              <>
                {operationText(entry.operation)}
                <Target entry={entry} names={names} />
              </>
            ),
          },
          { name: t('By'), cell: (entry) => <Actor entry={entry} /> },
          {
            name: t('Time'),
            cell: ({ createdAt }) => <time dateTime={createdAt}>{timeText(createdAt)}</time>,
          },
          {
            name: t('Result'),
            cell: ({ status }) =>
              status < 400 ? (
                t('Done')
              ) : (
                <span class="badge" data-state="bad">
                  {status === 403 ? t('Not permitted') : t('Refused ({status})', { status })}
                </span>
              ),
          },
        ]}
        empty={actor || operation ? t('No entry matches the filters.') : t('There are no entries yet.')}
      />
    </Section>
  );
}

function Actor({ entry: { actor, network } }: { entry: AuditEntry }) {
  const name =
    actor.email ??
    (actor.kind === 'server'
      ? t('The server')
      : actor.kind === 'public'
        ? t('Somebody who signs in')
        : (actor.tokenId ?? actor.kind));
  return (
    <>
      {name}
      <span class="second">
        {actor.tokenId && actor.email ? t('with a token') : ''} {network ?? ''}
      </span>
    </>
  );
}

/** The affected things: members and bots by their names, others by their ids. */
function Target({ entry: { target }, names }: { entry: AuditEntry; names: ReadonlyMap<string, string> }) {
  const parts = Object.entries(target).map(([name, value]) => {
    const text = names.get(value) ?? value;
    // Ids say what they are of.
    return name === 'id' || name === 'resource' || value.startsWith(name.replace(/Id$/, '_'))
      ? text
      : `${name}: ${text}`;
  });
  return parts.length > 0 ? <span class="second">{parts.join(', ')}</span> : null;
}
