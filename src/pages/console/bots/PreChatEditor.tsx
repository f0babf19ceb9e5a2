// The form before the chat as a list of fields: add, change, move and remove.
import { useId, useRef, useState } from 'preact/hooks';
import type { PreChatForm } from '../../../protocol/page-api/configuration.ts';
import { useRequests } from '../../ui/requests.ts';
import { t } from '../../ui/texts.ts';
import { toast } from '../../ui/toast.tsx';
import { useConsole } from '../console.ts';
import {
  canAdd,
  type EditedField,
  editedFormOf,
  type FieldKind,
  newField,
  preChatFormOf,
  problemOfField,
} from './pre-chat.ts';
import { changeWebchat } from './webchat-changes.ts';

interface Props {
  botId: string;
  stored: PreChatForm;
}

const kindNames = (): Record<FieldKind, string> => ({
  name: t('Name of the visitor'),
  email: t('E-mail address'),
  topics: t('Topic, chosen from a list'),
  text: t('Own question'),
  choice: t('Own question with a list of choices'),
});

const kinds: readonly FieldKind[] = ['name', 'email', 'topics', 'text', 'choice'];

export function PreChatEditor({ botId, stored }: Props) {
  const { client, may } = useConsole();
  const requests = useRequests();
  const [form, setForm] = useState(() => editedFormOf(stored));
  const [isChecked, setIsChecked] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const id = useId();
  const { text, fields } = form;
  const names = kindNames();
  const mayChange = may('webchat.update');
  const setFields = (next: EditedField[]) => setForm({ ...form, fields: next });
  const change = (one: EditedField, changes: Partial<EditedField>) =>
    setFields(fields.map((field) => (field.id === one.id ? { ...field, ...changes } : field)));
  /** Focuses a button of the item at an index after it was drawn. */
  const focusAt = (index: number, action: string) =>
    requestAnimationFrame(() => {
      const item = list.current?.children[index];
      const found = item?.querySelector<HTMLElement>(`[data-action="${action}"]`);
      (found ?? item?.querySelector<HTMLElement>('input, button'))?.focus();
    });
  const move = (index: number, step: number) => {
    const target = index + step;
    const moved = fields[index];
    if (!moved || target < 0 || target >= fields.length) return;
    const next = fields.toSpliced(index, 1);
    next.splice(target, 0, moved);
    setFields(next);
    focusAt(target, step < 0 ? 'up' : 'down');
  };
  const add = (kind: FieldKind) => {
    setFields([...fields, newField(kind, { isRequired: kind === 'topics' })]);
    focusAt(fields.length, 'label');
  };
  const save = async () => {
    setIsChecked(true);
    const wrong = fields.findIndex((field) => problemOfField(field));
    const problem = fields[wrong] && problemOfField(fields[wrong]);
    if (problem) {
      focusAt(wrong, problem);
      return;
    }
    await requests.run(async () => {
      await changeWebchat(client, botId, ({ preChatForm }) => ({
        preChatForm: preChatFormOf(form, preChatForm?.consent),
      }));
      toast(t('Published: visitors see it within five minutes.'));
    });
  };
  if (!mayChange)
    return (
      <p class="hint">{t('Your role does not allow you to change this. Developers and managers can.')}</p>
    );
  return (
    <div class="form">
      {fields.length > 0 && (
        <div class="field">
          <label for={`${id}-text`}>{t('Text above the form')}</label>
          <textarea
            id={`${id}-text`}
            rows={2}
            maxLength={1_000}
            value={text}
            dir="auto"
            placeholder={t('We answer in a few minutes.')}
            onInput={({ currentTarget }) => setForm({ ...form, text: currentTarget.value })}
          />
        </div>
      )}
      {fields.length === 0 && (
        <p>{t('There is no form: visitors write at once. Add a field to ask before.')}</p>
      )}
      <ol class="edited-fields" ref={list}>
        {fields.map((field, index) => {
          const problem = isChecked ? problemOfField(field) : undefined;
          const name = field.label || names[field.kind];
          const isOwn = field.kind === 'text' || field.kind === 'choice';
          const hasOptions = field.kind === 'choice' || field.kind === 'topics';
          return (
            <li key={field.id} class="edited-field">
              <div class="section-title">
                <b>{names[field.kind]}</b>
                <div class="buttons">
                  <button
                    type="button"
                    data-action="up"
                    aria-disabled={index === 0}
                    aria-label={t('Move {name} up', { name })}
                    onClick={() => move(index, -1)}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    data-action="down"
                    aria-disabled={index === fields.length - 1}
                    aria-label={t('Move {name} down', { name })}
                    onClick={() => move(index, 1)}
                  >
                    ↓
                  </button>
                  <button
                    type="button"
                    class="danger"
                    aria-label={t('Remove {name}', { name })}
                    onClick={() => {
                      setFields(fields.filter(({ id }) => id !== field.id));
                      focusAt(Math.min(index, fields.length - 2), 'up');
                    }}
                  >
                    {t('Remove')}
                  </button>
                </div>
              </div>
              {isOwn && (
                <div class="field">
                  <label for={`${id}-${field.id}-label`}>{t('Question')}</label>
                  <input
                    id={`${id}-${field.id}-label`}
                    data-action="label"
                    value={field.label}
                    maxLength={200}
                    dir="auto"
                    aria-invalid={problem === 'label' || undefined}
                    aria-describedby={problem === 'label' ? `${id}-${field.id}-problem` : undefined}
                    onInput={({ currentTarget }) => change(field, { label: currentTarget.value })}
                  />
                </div>
              )}
              {hasOptions && (
                <div class="field">
                  <label for={`${id}-${field.id}-options`}>{t('Choices, one in each line')}</label>
                  <textarea
                    id={`${id}-${field.id}-options`}
                    data-action="options"
                    rows={3}
                    value={field.options}
                    dir="auto"
                    aria-invalid={problem === 'options' || undefined}
                    aria-describedby={problem === 'options' ? `${id}-${field.id}-problem` : undefined}
                    onInput={({ currentTarget }) => change(field, { options: currentTarget.value })}
                  />
                </div>
              )}
              {problem && (
                <p class="problem" id={`${id}-${field.id}-problem`}>
                  {problem === 'label' ? t('Enter the question.') : t('Enter at least one choice.')}
                </p>
              )}
              {field.kind === 'topics' ? (
                <p class="hint">{t('The visitor has to choose one.')}</p>
              ) : (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={field.isRequired}
                    onChange={({ currentTarget }) => change(field, { isRequired: currentTarget.checked })}
                  />
                  <span>{t('The visitor must answer')}</span>
                </label>
              )}
            </li>
          );
        })}
      </ol>
      <fieldset class="buttons">
        <legend>{t('Add a field')}</legend>
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            aria-disabled={!canAdd(kind, fields)}
            onClick={() => canAdd(kind, fields) && add(kind)}
          >
            + {names[kind]}
          </button>
        ))}
      </fieldset>
      <p class="hint">
        {t('Name, e-mail address and topic come first in the chat, then your own questions in this order.')}
      </p>
      <p class="problem" role="alert">
        {requests.message}
      </p>
      <div class="buttons">
        <button type="button" class="main" aria-disabled={requests.isBusy} onClick={save}>
          {t('Publish')}
        </button>
      </div>
    </div>
  );
}
