// The tokens of the member and, with the permission, of the workspace: list, creation, revocation.
import { useState } from 'preact/hooks';
import type { Token, TokenKind } from '../../../protocol/types/admin.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form, type FormField } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { OneTimeValue } from '../../ui/OneTimeValue.tsx';
import { focusHeading, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { dateText, timeText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { type Names, useNames } from './names.ts';
import { dayOf, expiryOf } from './token-expiry.ts';

const kindName = (kind: TokenKind): string =>
  ({ personal: t('Personal'), bot: t('Bot'), integration: t('Integration') })[kind];

export function TokensTab() {
  const { client, member, may } = useConsole();
  const [isCreating, setIsCreating] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  const names = useNames();
  const list = usePaged(async (nextToken) => {
    const { tokens, meta } = await client.listTokens(nextToken ? { nextToken } : {});
    return { items: tokens, nextToken: meta.nextToken };
  }, 'tokens');
  const isOwn = ({ memberId }: Token) => memberId === member.value.member.id;
  const ownerOf = (token: Token): string => {
    const { memberId = '', botId = '', integration } = token;
    if (isOwn(token)) return t('You');
    if (token.kind === 'personal') return names.members.get(memberId) ?? memberId;
    const bot = names.bots.get(botId) ?? botId;
    return integration ? t('{integration}, for {bot}', { integration, bot }) : bot;
  };
  return (
    <Section
      title={t('Tokens')}
      intro={t(
        'A program uses a token instead of a password. A personal token may do everything that its member may do; the others work for one bot only.',
      )}
      actions={
        <button type="button" class="main" onClick={() => setIsCreating(true)}>
          {t('Create a token')}
        </button>
      }
    >
      <Table
        caption={t('Tokens')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('Name'),
            cell: (token) => (
              <>
                <strong>{token.name}</strong>
                <span class="second">{kindName(token.kind)}</span>
              </>
            ),
          },
          { name: t('Belongs to'), cell: ownerOf },
          { name: t('Created'), cell: ({ createdAt }) => dateText(createdAt) },
          {
            name: t('Expires'),
            cell: ({ expiresAt }) =>
              expiresAt === undefined ? (
                t('Never')
              ) : Date.parse(expiresAt) < Date.now() ? (
                <span class="badge" data-state="bad">
                  {t('Expired')}
                </span>
              ) : (
                dateText(expiresAt)
              ),
          },
          {
            name: t('Actions'),
            isActions: true,
            cell: (token) =>
              (isOwn(token) || may('tokens.write')) && (
                <button
                  type="button"
                  aria-label={t('Revoke {name}', { name: token.name })}
                  onClick={() => setRevoked(token)}
                >
                  {t('Revoke')}
                </button>
              ),
          },
        ]}
        empty={t('There are no tokens yet.')}
      />
      {isCreating && (
        <CreateDialog
          bots={names.bots}
          onCreated={(token) => list.change((items) => [token, ...items])}
          onClose={() => setIsCreating(false)}
        />
      )}
      {revoked && (
        <ConfirmDialog
          title={t('Revoke {name}?', { name: revoked.name })}
          button={t('Revoke the token')}
          onConfirm={async () => {
            await client.deleteToken({ id: revoked.id });
            list.change((items) => items.filter(({ id }) => id !== revoked.id));
            toast(t('The token was revoked.'));
            requestAnimationFrame(focusHeading);
          }}
          onClose={() => setRevoked(undefined)}
        >
          <p>{t('Programs that use it are refused at once. This cannot be undone.')}</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface CreateProps {
  bots: Names['bots'];
  onCreated(token: Token): void;
  onClose(): void;
}

function CreateDialog({ bots, onCreated, onClose }: CreateProps) {
  const { client, member, may } = useConsole();
  const [created, setCreated] = useState<{ token: Token; value: string }>();
  if (created) {
    const { token, value } = created;
    return (
      <Dialog title={token.name} onClose={onClose}>
        <p role="status">
          {t('Copy the token now: it is shown once. Whoever has it can use it.')}{' '}
          {token.expiresAt !== undefined && t('It expires on {time}.', { time: timeText(token.expiresAt) })}
        </p>
        <OneTimeValue label={t('Token')} value={value} />
        <div class="buttons">
          <button type="button" class="main" onClick={onClose}>
            {t('Done')}
          </button>
        </div>
      </Dialog>
    );
  }
  const limits = inputs.createToken;
  const end = member.value.session.expiresAt;
  const botOptions = [...bots].map(([value, label]) => ({ value, label }));
  const ofBots: FormField[] =
    may('tokens.write') && botOptions.length > 0
      ? [
          {
            name: 'kind',
            label: t('Kind'),
            kind: 'radio',
            options: [
              { value: 'personal', label: t('Personal'), help: t('May do what you may do.') },
              {
                value: 'bot',
                label: t('Bot'),
                help: t('Reads and writes conversations, files and tables of one bot.'),
              },
              {
                value: 'integration',
                label: t('Integration'),
                help: t('For a program that joins a bot with another service.'),
              },
            ],
          },
          {
            name: 'botId',
            label: t('Bot'),
            options: botOptions,
            isShown: ({ kind }) => kind !== 'personal',
          },
          {
            name: 'integration',
            label: t('Name of the integration'),
            limits: { ...limits.integration, isRequired: true },
            isShown: ({ kind }) => kind === 'integration',
          },
        ]
      : [];
  return (
    <Dialog title={t('Create a token')} onClose={onClose}>
      <Form
        fields={[
          {
            name: 'name',
            label: t('Name'),
            help: t('Such as the program that uses it.'),
            limits: limits.name,
          },
          ...ofBots,
          {
            name: 'expiresOn',
            label: t('Last day'),
            kind: 'date',
            limits: { isRequired: true },
            help: t(
              'At the latest when this sign-in ends, on {time}. A token for longer is created by a token: npx platform-webchat tokens create.',
              { time: timeText(end) },
            ),
          },
        ]}
        initial={{ kind: 'personal', botId: botOptions[0]?.value ?? '', expiresOn: dayOf(end) }}
        button={t('Create')}
        onCancel={onClose}
        onSubmit={async ({ name = '', kind = 'personal', botId = '', integration = '', expiresOn = '' }) => {
          const isOfBot = kind !== 'personal';
          const result = await client.createToken({
            name: String(name).trim(),
            kind: kind as TokenKind,
            ...(isOfBot && { botId: String(botId) }),
            ...(kind === 'integration' && { integration: String(integration).trim() }),
            expiresAt: expiryOf(String(expiresOn), end),
          });
          setCreated(result);
          onCreated(result.token);
        }}
      />
    </Dialog>
  );
}
