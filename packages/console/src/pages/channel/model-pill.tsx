import { memo } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './channel.module.css';

interface ModelPillProps {
  readonly name: string;
  /** Must not depend on the current render, because the pill renders once. */
  readonly onRemove: (name: string) => void;
}

/** A selected model. Plain and memoized, because a channel may have hundreds. */
export const ModelPill = memo(
  function ModelPill({ name, onRemove }: ModelPillProps) {
    const { t } = useTranslation();
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
