// The name and the profile of the workspace, and for operators the workspaces of the server.
import { useState } from 'preact/hooks';
import type { Workspace } from '../../../protocol/types/admin.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form, type FormValues } from '../../ui/Form.tsx';
import { inputs } from '../../ui/inputs.ts';
import { useLoaded } from '../../ui/loaded.ts';
import { OneTimeValue } from '../../ui/OneTimeValue.tsx';
import { Facts, focusHeading, Loading, Problem, Section } from '../../ui/Page.tsx';
import { usePaged } from '../../ui/paged.ts';
import { Table } from '../../ui/Table.tsx';
import { t } from '../../ui/texts.ts';
import { dateText } from '../../ui/times.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';

export function WorkspaceTab() {
  const { client, member, may, refresh } = useConsole();
  const { id } = member.value.workspace;
  const { value, problem, reload } = useLoaded(() => client.getWorkspace({ id }));
  const limits = inputs.updateWorkspace;
  if (!value) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  const { name, about = '', website = '', contactEmail = '', profilePicture = '' } = value;
  const save = async (values: FormValues) => {
    const texts = Object.fromEntries(Object.entries(values).map(([key, text]) => [key, String(text).trim()]));
    await client.updateWorkspace({ id, ...texts });
    await refresh();
  };
  return (
    <>
      <Section title={t('Workspace')}>
        {may('workspaces.update') ? (
          <Form
            label={t('Workspace')}
            fields={[
              { name: 'name', label: t('Name'), limits: { ...limits.name, isRequired: true } },
              { name: 'about', label: t('About'), kind: 'textarea', limits: limits.about },
              { name: 'website', label: t('Website'), kind: 'url', limits: limits.website },
              {
                name: 'contactEmail',
                label: t('E-mail address for questions'),
                kind: 'email',
                limits: limits.contactEmail,
              },
              {
                name: 'profilePicture',
                label: t('Address of a picture'),
                kind: 'url',
                limits: limits.profilePicture,
              },
            ]}
            initial={{ name, about, website, contactEmail, profilePicture }}
            button={t('Save')}
            success={t('Saved.')}
            onSubmit={save}
          />
        ) : (
          <Facts
            facts={[
              [t('Name'), name],
              [t('About'), about || '–'],
              [t('Website'), website || '–'],
            ]}
          />
        )}
      </Section>
      <Section title={t('For programs')}>
        <Facts
          facts={[
            [t('Id of the workspace'), <code>{id}</code>],
            [t('Created'), dateText(value.createdAt)],
          ]}
        />
      </Section>
      {may('workspaces.list') && <Workspaces />}
    </>
  );
}

/** All workspaces of the server. */
function Workspaces() {
  const { client, member, may } = useConsole();
  const [isCreating, setIsCreating] = useState(false);
  const [deleted, setDeleted] = useState<Workspace>();
  const list = usePaged(async (nextToken) => {
    const { workspaces, meta } = await client.listWorkspaces(nextToken ? { nextToken } : {});
    return { items: workspaces, nextToken: meta.nextToken };
  }, 'workspaces');
  const isOwn = ({ id }: Workspace) => id === member.value.workspace.id;
  return (
    <Section
      title={t('Workspaces of this server')}
      intro={t(
        'Workspaces share the server, and nothing else: each has its own members, bots and conversations. You see them because you run the server.',
      )}
      actions={
        may('workspaces.create') && (
          <button type="button" onClick={() => setIsCreating(true)}>
            {t('Create a workspace')}
          </button>
        )
      }
    >
      <Table
        caption={t('Workspaces of this server')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('Name'),
            cell: (workspace) => (
              <>
                {workspace.name}
                {isOwn(workspace) && <span class="tag"> {t('(this one)')}</span>}
              </>
            ),
          },
          { name: t('Bots'), cell: ({ botCount }) => botCount, isNumber: true },
          { name: t('Created'), cell: ({ createdAt }) => dateText(createdAt) },
          {
            name: t('Actions'),
            isActions: true,
            cell: (workspace) =>
              may('workspaces.delete') &&
              // The first workspace, which is that of the operators, cannot be deleted.
              !isOwn(workspace) && (
                <button
                  type="button"
                  aria-label={t('Delete {name}', { name: workspace.name })}
                  onClick={() => setDeleted(workspace)}
                >
                  {t('Delete')}
                </button>
              ),
          },
        ]}
        empty={t('There are no workspaces.')}
      />
      {isCreating && <CreateDialog onCreated={list.reload} onClose={() => setIsCreating(false)} />}
      {deleted && (
        <ConfirmDialog
          title={t('Delete {name}?', { name: deleted.name })}
          button={t('Delete the workspace')}
          onConfirm={async () => {
            await client.deleteWorkspace({ id: deleted.id });
            list.change((items) => items.filter(({ id }) => id !== deleted.id));
            toast(t('{name} was deleted.', { name: deleted.name }));
            requestAnimationFrame(focusHeading);
          }}
          onClose={() => setDeleted(undefined)}
        >
          <p>
            {t(
              'Its members, tokens and bots are deleted with all conversations and files. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function CreateDialog({ onCreated, onClose }: { onCreated(): void; onClose(): void }) {
  const { client } = useConsole();
  const [token, setToken] = useState('');
  const limits = inputs.createWorkspace;
  return (
    <Dialog title={t('Create a workspace')} onClose={onClose}>
      {token ? (
        <>
          <p role="status">
            {t(
              'The workspace is there. This token of its owner is shown once: with it, a program acts as the owner.',
            )}
          </p>
          <OneTimeValue label={t('Token of the owner')} value={token} />
          <div class="buttons">
            <button type="button" class="main" onClick={onClose}>
              {t('Done')}
            </button>
          </div>
        </>
      ) : (
        <Form
          fields={[
            { name: 'name', label: t('Name'), limits: limits.name },
            {
              name: 'email',
              label: t('E-mail address of its owner (optional)'),
              kind: 'email',
              help: t('Without one, it is yours.'),
              limits: limits.email,
            },
          ]}
          button={t('Create')}
          onCancel={onClose}
          onSubmit={async ({ name = '', email = '' }) => {
            const address = String(email).trim();
            const { value } = await client.createWorkspace({
              name: String(name).trim(),
              ...(address && { email: address }),
            });
            setToken(value);
            onCreated();
          }}
        />
      )}
    </Dialog>
  );
}
