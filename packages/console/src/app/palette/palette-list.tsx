import { useEffect, useRef } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './palette.module.css';
import { type PaletteEntry, type PaletteGroup, paletteGroups } from './palette-entry.ts';

interface PaletteListProps {
  readonly id: string;
  readonly entries: readonly PaletteEntry[];
  readonly chosen: PaletteEntry | undefined;
  readonly isBusy: boolean;
  readonly optionId: (entry: PaletteEntry) => string;
  readonly onPoint: (entry: PaletteEntry) => void;
  readonly onRun: (entry: PaletteEntry) => void;
}

/** Grouped results. The input above keeps the focus. */
export function PaletteList({ id, entries, isBusy, ...shared }: PaletteListProps) {
  const { t } = useTranslation();
  return (
    <div id={id} role="listbox" aria-label={t('Results')} className={styles['list']}>
      {paletteGroups.map((group) => {
        const within = entries.filter((entry) => entry.group === group);
        return within.length > 0 && <Group key={group} group={group} entries={within} {...shared} />;
      })}
      {entries.length === 0 && (
        <p className={styles['nothing']} role="status">
          {isBusy ? t('Searching…') : t('No results found')}
        </p>
      )}
    </div>
  );
}

interface GroupProps extends Omit<PaletteListProps, 'id' | 'isBusy'> {
  readonly group: PaletteGroup;
}

function Group({ group, entries, chosen, optionId, onPoint, onRun }: GroupProps) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options so; a fieldset would be a form's.
    <div role="group" aria-label={t(group)}>
      <p className={styles['group']} aria-hidden>
        {t(group)}
      </p>
      {entries.map((entry) => (
        <Option
          key={entry.id}
          id={optionId(entry)}
          entry={entry}
          isChosen={entry === chosen}
          onPoint={() => onPoint(entry)}
          onRun={() => onRun(entry)}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onRun: () => void;
}

function Option({ id, entry: { label, hint, icon: Icon }, isChosen, onPoint, onRun }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className={styles['option']}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
      // Keys are handled by the input above.
      onKeyDown={() => undefined}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
      <span className={styles['words']}>{label}</span>
      {hint && <span className={styles['aside']}>{hint}</span>}
    </div>
  );
}
