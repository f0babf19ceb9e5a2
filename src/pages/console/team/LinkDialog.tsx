// Dialogs that invite a member, and that give a member another link.
import { useState } from 'preact/hooks';
import type { Role } from '../../../protocol/permissions.ts';
import type { Member } from '../../../protocol/types/admin.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { OneTimeValue } from '../../ui/OneTimeValue.tsx';
import { useRequests } from '../../ui/requests.ts';
import { t } from '../../ui/texts.ts';
import { timeText } from '../../ui/times.ts';
import { useConsole } from '../console.ts';
import { roleName, rolesUpTo, roleText } from '../roles.ts';
import {
  type CreatedLink,
  createLink,
  explained,
  type LinkPurpose,
  useSignInOptions,
} from './member-links.ts';

/** The options of a field that chooses a role. */
export const roleOptions = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, label: roleName(role), help: roleText(role) }));

interface InviteProps {
  onInvited(member: Member): void;
  onClose(): void;
}

export function InviteDialog({ onInvited, onClose }: InviteProps) {
  const { client, member, may } = useConsole();
  const options = useSignInOptions();
  const [invited, setInvited] = useState<Member>();
  if (invited) {
    return (
      <Dialog title={t('Invitation')} onClose={onClose}>
        {options?.password === false ? (
          <>
            <p>
              {t('{name} is a member now, and signs in with {service}.', {
                name: invited.email,
                service: options.oidc ?? '',
              })}
            </p>
            <Done onClose={onClose} />
          </>
        ) : (
          <NewLink member={invited} purpose="invitation" isAutomatic onClose={onClose} />
        )}
      </Dialog>
    );
  }
  const limits = inputs.createWorkspaceMember;
  return (
    <Dialog title={t('Invite a member')} onClose={onClose}>
      {options && !options.link && options.password && !may('tokens.write') && (
        <p class="hint">
          {t(
            'This server sends no mail, and only administrators see links. Ask one of them for the link of the new member.',
          )}
        </p>
      )}
      <Form
        fields={[
          { name: 'email', label: t('E-mail address'), kind: 'email', limits: limits.email },
          {
            name: 'displayName',
            label: t('Name (optional)'),
            help: t('Visitors see it when the member answers.'),
            limits: limits.displayName,
          },
          {
            name: 'role',
            label: t('Role'),
            kind: 'radio',
            options: roleOptions(rolesUpTo(member.value.principal)),
            help: t('You can give roles up to your own. They can be changed at any time.'),
          },
        ]}
        initial={{ role: 'support' }}
        button={options?.link ? t('Send the invitation') : t('Invite')}
        onCancel={onClose}
        onSubmit={async ({ email = '', displayName = '', role }) => {
          const name = String(displayName).trim();
          const input = {
            email: String(email).trim(),
            role: role as Role,
            ...(name && { displayName: name }),
          };
          const added = await explained(client.createWorkspaceMember(input));
          onInvited(added);
          setInvited(added);
        }}
      />
    </Dialog>
  );
}

export function LinkDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const [purpose, setPurpose] = useState<LinkPurpose>('invitation');
  const name = member.displayName || member.email;
  return (
    <Dialog title={t('A link for {name}', { name })} onClose={onClose}>
      <fieldset class="field">
        <legend>{t('The link is for')}</legend>
        {(
          [
            ['invitation', t('An invitation'), t('They choose a password. Valid for 7 days.')],
            ['reset', t('Another password'), t('They have forgotten theirs. Valid for 15 minutes.')],
            ['sign-in', t('One sign-in'), t('Without a password. Valid for 15 minutes.')],
          ] as const
        ).map(([value, label, help]) => (
          <label key={value} class="check radio-choice">
            <input
              type="radio"
              name="purpose"
              checked={purpose === value}
              onChange={() => setPurpose(value)}
            />
            <span>
              {label}
              <span class="hint">{help}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <NewLink key={purpose} member={member} purpose={purpose} onClose={onClose} />
    </Dialog>
  );
}

const Done = ({ onClose }: { onClose(): void }) => (
  <div class="buttons">
    <button type="button" class="main" onClick={onClose}>
      {t('Done')}
    </button>
  </div>
);

interface NewLinkProps {
  member: Member;
  purpose: LinkPurpose;
  /** Creates it at once. */
  isAutomatic?: boolean;
  onClose(): void;
}

/** Creates a link, and says where it is. */
function NewLink({ member, purpose, isAutomatic = false, onClose }: NewLinkProps) {
  const { client, may } = useConsole();
  const options = useSignInOptions();
  const requests = useRequests();
  const [link, setLink] = useState<CreatedLink>();
  const [isStarted, setStarted] = useState(false);
  const maySee = may('tokens.write');
  const create = (isMailed: boolean) =>
    requests.run(async () => setLink(await createLink(client, member.id, purpose, isMailed)));
  if (isAutomatic && options && !isStarted && (options.link || maySee)) {
    setStarted(true);
    void create(options.link);
  }
  if (link) {
    const time = timeText(link.expiresAt);
    return (
      <>
        <div role="status">
          {link.url === undefined ? (
            <p>
              {t('A mail with the link is on its way to {email}. The link works once, until {time}.', {
                email: member.email,
                time,
              })}
            </p>
          ) : (
            <p>
              {t(
                'Give this link to {email} only: everybody who has it can sign in as this member. It is shown once, and works once, until {time}.',
                { email: member.email, time },
              )}
            </p>
          )}
        </div>
        {link.url !== undefined && <OneTimeValue label={t('Link')} value={link.url} />}
        <Done onClose={onClose} />
      </>
    );
  }
  return (
    <>
      {options && !options.link && !maySee && (
        <p>{t('This server sends no mail, and only administrators see links. Ask one of them.')}</p>
      )}
      <p class="problem" role="alert">
        {requests.message}
      </p>
      <div class="buttons">
        {options?.link && (
          <button type="button" class="main" aria-disabled={requests.isBusy} onClick={() => create(true)}>
            {t('Send the link by mail')}
          </button>
        )}
        {options && maySee && (
          <button
            type="button"
            class={options.link ? undefined : 'main'}
            aria-disabled={requests.isBusy}
            onClick={() => create(false)}
          >
            {t('Show the link')}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {t('Close')}
        </button>
      </div>
    </>
  );
}
