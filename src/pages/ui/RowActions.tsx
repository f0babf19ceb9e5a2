// The actions of a row of a table: up to two small buttons, or a menu.
import { Menu, type MenuItem } from './Menu.tsx';
import { t } from './texts.ts';

interface Props {
  /** The name of the row. */
  about: string;
  items: readonly (MenuItem | false | undefined)[];
  /** Other rows of the table have more than two actions. */
  isMenu?: boolean;
}

export function RowActions({ about, items, isMenu = false }: Props) {
  const offered = items.filter((item) => item !== false && item !== undefined);
  if (offered.length === 0) return null;
  if (isMenu || offered.length > 2)
    return <Menu label={t('Actions for {name}', { name: about })} items={offered} />;
  return (
    <div class="buttons">
      {offered.map(({ label, name, isDanger = false, onChoose }) => (
        <button
          key={label}
          type="button"
          class={isDanger ? 'danger' : undefined}
          aria-label={name}
          onClick={onChoose}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
