import { memo } from 'react';
import { useWords } from '../../i18n/translate.ts';
import styles from './channel.module.css';

interface ModelPillProps {
  readonly name: string;
  /** Must work however old it is: the pill is drawn once. */
  readonly onRemove: (name: string) => void;
}

/** A chosen model. A channel may have hundreds, so it is plain and is not drawn again while one types. */
export const ModelPill = memo(
  function ModelPill({ name, onRemove }: ModelPillProps) {
    const { t } = useWords();
    return (
      <span className={styles['pill']} data-model>
        {name}
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('Remove {name}', { name })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onRemove(name)}
        />
      </span>
    );
  },
  (before, after) => before.name === after.name,
);
