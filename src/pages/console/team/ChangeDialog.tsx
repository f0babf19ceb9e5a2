// A dialog that changes the name, the role and the e-mail address of a member.
import type { Role } from '../../../protocol/permissions.ts';
import type { Member } from '../../../protocol/types/admin.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { rolesUpTo } from '../roles.ts';
import { roleOptions } from './LinkDialog.tsx';
import { explained } from './member-links.ts';

interface Props {
  member: Member;
  onChanged(member: Member): void;
  onClose(): void;
}

export function ChangeDialog({ member, onChanged, onClose }: Props) {
  const { client, member: me, may } = useConsole();
  const { id, email, displayName = '', role } = member;
  const limits = inputs.updateWorkspaceMember;
  return (
    <Dialog title={displayName || email} onClose={onClose}>
      <Form
        fields={[
          {
            name: 'displayName',
            label: t('Name'),
            help: t('Visitors see it when the member answers.'),
            limits: limits.displayName,
          },
          ...(may('tokens.write')
            ? [
                {
                  name: 'email',
                  label: t('E-mail address'),
                  kind: 'email' as const,
                  help: t(
                    'Another address ends the sessions, the links and the password of the member: whoever reads its mails can sign in.',
                  ),
                  limits: { ...limits.email, isRequired: true },
                },
              ]
            : []),
          {
            name: 'role',
            label: t('Role'),
            kind: 'radio',
            options: roleOptions(rolesUpTo(me.value.principal)),
          },
        ]}
        initial={{ displayName, role, email }}
        button={t('Save')}
        onCancel={onClose}
        onSubmit={async (values) => {
          const name = String(values.displayName ?? '').trim();
          const address = String(values.email ?? '').trim();
          const changed = await explained(
            client.updateWorkspaceMember({
              id,
              displayName: name || null,
              ...(values.role !== role && { role: values.role as Role }),
              ...(address !== email && { email: address }),
            }),
          );
          onChanged(changed);
          onClose();
        }}
      />
    </Dialog>
  );
}
