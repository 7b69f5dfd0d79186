import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useWords } from '../../../i18n/translate.ts';
import { JsonInput } from '../../../ui/form/json-input.tsx';
import type { FieldProps } from './field-props.ts';
import styles from './ratio.module.css';

const RatioTable = lazy(async () => ({ default: (await import('./ratio-table.tsx')).RatioTable }));

/** Ratios as JSON, or as a table in dollars that cannot be broken. */
export function RatioField({ name, label, text, onChange, description, error }: FieldProps) {
  const { t } = useWords();
  const [view, setView] = useState('json');
  return (
    <div className={styles['ratio']}>
      <div className={styles['view']}>
        <SegmentedControl
          size="xs"
          aria-label={`${label}: ${t('View')}`}
          value={view}
          onChange={setView}
          data={[
            { value: 'json', label: 'JSON' },
            { value: 'table', label: t('Table') },
          ]}
        />
      </div>
      {view === 'json' ? (
        <JsonInput
          label={label}
          value={text}
          onChange={onChange}
          error={error}
          placeholder={'{\n  "gpt-4o": 1.25\n}'}
          {...(description && { description })}
        />
      ) : (
        <Suspense fallback={null}>
          <RatioTable label={label} text={text} onChange={onChange} isPrice={name === 'ModelRatio'} />
        </Suspense>
      )}
    </div>
  );
}
