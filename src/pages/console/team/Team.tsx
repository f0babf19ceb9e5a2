// The members of the workspace: search, invitations, roles, links, removal.
import { useEffect, useState } from 'preact/hooks';
import type { InboxMember } from '../../../protocol/inbox.ts';
import type { Member } from '../../../protocol/types/admin.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { focusHeading, Page, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { RowActions } from '../../ui/RowActions.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { counted, t } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import { roleName, rolesUpTo } from '../roles.ts';
import { TabLinks } from '../TabLinks.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import { InviteDialog, LinkDialog } from './LinkDialog.tsx';
import { explained } from './member-links.ts';
import { teamTabs } from './tabs.ts';

type Opened = { kind: 'invite' } | { kind: 'change' | 'link' | 'remove'; member: Member };

/** Milliseconds after the last key until the server is asked. */
const searchDelayMs = 250;

export function Screen() {
  const { client, member: me, may, refresh } = useConsole();
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<Opened>();
  const hasInbox = may('inbox.read');
  const availability = useAvailability(hasInbox);
  const list = usePaged(async (nextToken) => {
    const { members, meta } = await client.listWorkspaceMembers({
      ...(nextToken && { nextToken }),
      ...(search && { search }),
    });
    return { items: members, nextToken: meta.nextToken };
  }, search);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), searchDelayMs);
    return () => clearTimeout(timer);
  }, [text]);

  const mayWrite = may('members.write');
  const within = rolesUpTo(me.value.principal);
  const isOwn = (member: Member) => member.id === me.value.member.id;
  const close = () => setOpened(undefined);
  const columns: Column<Member>[] = [
    {
      name: t('Name'),
      cell: (member) => (
        <div class="named">
          <Avatar name={nameOf(member)} />
          <div>
            <strong>{nameOf(member)}</strong>
            {isOwn(member) && <span class="tag"> {t('(you)')}</span>}
            {member.displayName && <span class="second">{member.email}</span>}
          </div>
        </div>
      ),
    },
    { name: t('Role'), cell: ({ role }) => roleName(role) },
  ];
  if (hasInbox) {
    columns.push({
      name: t('Availability'),
      cell: ({ id }) => <Availability member={availability.get(id)} />,
    });
  }
  if (mayWrite) {
    columns.push({
      name: t('Actions'),
      isActions: true,
      cell: (member) =>
        within.includes(member.role) ? (
          <RowActions
            about={nameOf(member)}
            isMenu
            items={[
              {
                label: t('Change'),
                name: t('Change {name}', { name: nameOf(member) }),
                onChoose: () => setOpened({ kind: 'change', member }),
              },
              !isOwn(member) && {
                label: t('Link'),
                name: t('A link for {name}', { name: nameOf(member) }),
                onChoose: () => setOpened({ kind: 'link', member }),
              },
              !isOwn(member) && {
                label: t('Remove'),
                name: t('Remove {name}', { name: nameOf(member) }),
                isDanger: true,
                onChoose: () => setOpened({ kind: 'remove', member }),
              },
            ]}
          />
        ) : (
          <span class="hint">{t('Has a higher role than you')}</span>
        ),
    });
  }
  return (
    <Page
      title={t('Team')}
      actions={
        mayWrite && (
          <button type="button" class="main" onClick={() => setOpened({ kind: 'invite' })}>
            {t('Invite a member')}
          </button>
        )
      }
      tabs={<TabLinks label={t('Team')} tabs={teamTabs('members', hasInbox)} />}
    >
      <Section
        title={t('Members')}
        intro={mayWrite ? undefined : t('A manager or an administrator invites members and changes roles.')}
      >
        <search class="filters">
          <label>
            {t('Search by name or e-mail address')}
            <input
              type="search"
              value={text}
              autocomplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
        </search>
        <Table
          caption={t('Members')}
          list={list}
          keyOf={({ id }) => id}
          columns={columns}
          empty={t('No member matches the search.')}
        />
      </Section>
      {opened?.kind === 'invite' && (
        <InviteDialog onInvited={(member) => list.change((items) => [...items, member])} onClose={close} />
      )}
      {opened?.kind === 'change' && (
        <ChangeDialog
          member={opened.member}
          onChanged={(member) => {
            list.change((items) => items.map((item) => (item.id === member.id ? member : item)));
            toast(t('The member was changed.'));
            if (isOwn(member)) void refresh();
          }}
          onClose={close}
        />
      )}
      {opened?.kind === 'link' && <LinkDialog member={opened.member} onClose={close} />}
      {opened?.kind === 'remove' && (
        <ConfirmDialog
          title={t('Remove {name}?', { name: nameOf(opened.member) })}
          button={t('Remove the member')}
          onConfirm={async () => {
            const { id } = opened.member;
            await explained(client.deleteWorkspaceMember({ id }));
            list.change((items) => items.filter((item) => item.id !== id));
            toast(t('{name} was removed.', { name: nameOf(opened.member) }));
            requestAnimationFrame(focusHeading);
          }}
          onClose={close}
        >
          <p>
            {t(
              'Their sessions and tokens end at once. Conversations that they answer wait again, at the front, for others. Their messages and notes stay; their own canned answers are deleted.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const nameOf = ({ displayName, email }: Member): string => displayName || email;

/** Members who can answer visitors, by id; empty until they are known. */
function useAvailability(isWanted: boolean): ReadonlyMap<string, InboxMember> {
  const { client } = useConsole();
  const [members, setMembers] = useState<ReadonlyMap<string, InboxMember>>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    client.list
      .inboxMembers({})
      .collect()
      .then(
        (found) => {
          if (!isGone) setMembers(new Map(found.map((member) => [member.memberId, member])));
        },
        // The list of members is there without it.
        () => {},
      );
    return () => {
      isGone = true;
    };
  }, [isWanted, client]);
  return members;
}

function Availability({ member }: { member: InboxMember | undefined }) {
  if (!member) return <span class="hint">–</span>;
  const { availability, isReachable, load } = member;
  const isAvailable = availability === 'available';
  const state = !isAvailable ? t('Away') : isReachable ? t('Available') : t('Available, inbox closed');
  return (
    <>
      <span class="badge" data-state={isAvailable && isReachable ? 'good' : undefined}>
        {state}
      </span>{' '}
      {load > 0 && <span class="hint">{counted(load, '{count} conversation', '{count} conversations')}</span>}
    </>
  );
}
