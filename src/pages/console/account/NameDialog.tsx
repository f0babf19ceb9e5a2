// Asks a member who answers visitors, and has no name yet, for one; once while the page is open.
import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { t } from '../../ui/texts.ts';
import { useConsole } from '../console.ts';
import { saveProfile } from './profile.ts';

/** Whether the member has closed it: it does not come back when the console is drawn again. */
let isAsked = false;

export function NameDialog() {
  const console = useConsole();
  const [isOpen, setIsOpen] = useState(!isAsked);
  const close = () => {
    isAsked = true;
    setIsOpen(false);
  };
  const { displayName } = console.member.value.member;
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
