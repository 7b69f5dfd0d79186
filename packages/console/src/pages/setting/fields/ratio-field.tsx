import { SegmentedControl, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import { JsonInput } from '../../../ui/form/json-input.tsx';
import { ManagedReason } from '../../../ui/managed/managed.tsx';
import type { FieldProps } from './field-props.ts';
import styles from './ratio.module.css';
import { parseRatios } from './ratio-rows.ts';

const RatioTable = lazy(async () => ({ default: (await import('./ratio-table.tsx')).RatioTable }));

/** Ratios as JSON, or as a table in dollars that is always valid. */
export function RatioField({ name, label, text, onChange, description, error }: FieldProps) {
  const { t } = useTranslation();
  const [view, setView] = useState('json');
  const isOfGroups = name === 'GroupRatio' || name === 'TopUpGroupRatio';
  const kind = isOfGroups ? (name === 'GroupRatio' ? 'group' : undefined) : 'model';
  const isManaged = useManaged(kind);
  const kept = (parseRatios(text) ?? []).map(([each]) => each).filter(isManaged);
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
        <Stack gap={6}>
          <JsonInput
            label={label}
            value={text}
            onChange={onChange}
            error={error}
            placeholder={isOfGroups ? '{ "vip": 0.9 }' : '{ "gpt-4o": 1.25 }'}
            {...(description && { description })}
          />
          {kept.length > 0 && <ManagedReason names={kept} />}
        </Stack>
      ) : (
        <Suspense fallback={null}>
          <RatioTable label={label} text={text} onChange={onChange} isPrice={name === 'ModelRatio'} kind={kind} />
        </Suspense>
      )}
    </div>
  );
}
