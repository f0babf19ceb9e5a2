// The actions of a row of a table: up to two small buttons, or a menu.
import { Menu, type MenuItem } from './Menu.tsx';
import { t } from './texts.ts';

interface Props {
  /** The name of the row. */
  about: string;
  items: readonly (MenuItem | false | undefined)[];
  /** Other rows of the table have more than two actions. */
  isMenu?: boolean;
  /** Of more than two, the first one is a button beside the menu: it is what most come for. */
  isFirstShown?: boolean;
}

export function RowActions({ about, items, isMenu = false, isFirstShown = false }: Props) {
  const offered = items.filter((item) => item !== false && item !== undefined);
  if (offered.length === 0) return null;
  const hasMenu = isMenu || offered.length > 2;
  const shown = hasMenu ? offered.slice(0, isFirstShown ? 1 : 0) : offered;
  const menu = hasMenu && (
    <Menu label={t('Actions for {name}', { name: about })} items={offered.slice(shown.length)} />
  );
  if (shown.length === 0) return menu || null;
  return (
    <div class="buttons">
      {shown.map(({ label, name, isDanger = false, onChoose }) => (
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
      {menu}
    </div>
  );
}
