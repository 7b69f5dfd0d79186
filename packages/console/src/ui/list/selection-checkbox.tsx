import type { KeyboardEvent } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './selection.module.css';
import { type Selection, useSelected } from './selection.ts';

/** Checkbox of a row; with Shift it selects a range. Renders nothing if the list has no selection. */
export function RowCheckbox({ id, name }: { readonly id: number; readonly name: string }) {
  const { t } = useTranslation();
  const selection = useSelected();
  if (!selection) return null;
  return (
    <label className={styles['box']}>
      <input
        type="checkbox"
        data-row-box
        aria-label={t('Select {name}', { name })}
        checked={selection.has(id)}
        // Only click events report the Shift key; the space bar triggers one as well.
        onClick={(event) => selection.toggle(id, event.shiftKey)}
        onChange={() => undefined}
        onKeyDown={(event) => handleKeys(event, selection)}
      />
    </label>
  );
}

/** Checkbox that selects the page; `label` is shown where there is no table header. */
export function PageCheckbox({ label }: { readonly label?: string }) {
  const { t } = useTranslation();
  const selection = useSelected();
  if (!selection) return null;
  const { page, has, togglePage } = selection;
  const count = page.filter(has).length;
  const isWhole = page.length > 0 && count === page.length;
  return (
    <label className={label ? styles['page'] : styles['box']}>
      <input
        type="checkbox"
        aria-label={t('Select all on this page')}
        checked={isWhole}
        disabled={page.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isWhole;
        }}
        onChange={togglePage}
        onKeyDown={(event) => handleKeys(event, selection)}
      />
      {label}
    </label>
  );
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Arrow keys move between checkboxes, with Shift extending the selection. Escape clears it, Enter moves to the
 * actions.
 */
function handleKeys(event: KeyboardEvent<HTMLInputElement>, selection: Selection): void {
  const { key, shiftKey, currentTarget: box } = event;
  const step = steps[key];
  if (step !== undefined) {
    event.preventDefault();
    const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-row-box]')];
    const next = boxes[boxes.indexOf(box) + step];
    next?.focus();
    if (shiftKey && next && next.checked !== box.checked) next.click();
  } else if (key === 'Escape') selection.clear();
  else if (key === 'Enter') {
    // Otherwise the same key press would activate the button that receives the focus.
    event.preventDefault();
    document.querySelector<HTMLButtonElement>('[data-selection-bar] button')?.focus();
  }
}
