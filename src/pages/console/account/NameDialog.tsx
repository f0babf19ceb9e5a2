// Asks a member who answers visitors, and has no name yet, for one; once in this browser. The account has the field, too.
import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { saveProfile } from './profile.ts';

/** The members who have closed it in this browser: whoever answers "Later" is not asked at each visit. */
const key = 'asked for a name';

function isAsked(memberId: string): boolean {
  try {
    return (localStorage.getItem(key) ?? '').includes(memberId);
  } catch {
    return false;
  }
}

function rememberAsked(memberId: string): void {
  try {
    localStorage.setItem(key, `${localStorage.getItem(key) ?? ''} ${memberId}`.trim());
  } catch {
    // Blocked: it is closed as long as the page is open.
  }
}

export function NameDialog() {
  const console = useConsole();
  const { id, displayName } = console.member.value.member;
  const [isOpen, setIsOpen] = useState(() => !isAsked(id));
  const close = () => {
    rememberAsked(id);
    setIsOpen(false);
  };
  if (!isOpen || displayName || !console.may('inbox.write')) return null;
  return (
    <Dialog title={t('Your name')} onClose={close}>
      <p>
        {t('Visitors and your team see this name beside your messages. You can change it in your account.')}
      </p>
      <Form
        fields={[
          {
            name: 'displayName',
            label: t('Name'),
            autocomplete: 'name',
            limits: { ...inputs.createWorkspaceMember.displayName, isRequired: true },
          },
        ]}
        button={t('Save')}
        onSubmit={async ({ displayName = '' }) => {
          await saveProfile(console, { displayName: String(displayName).trim() });
          close();
        }}
      >
        <button type="button" onClick={close}>
          {t('Later')}
        </button>
      </Form>
    </Dialog>
  );
}
