import { UnstyledButton } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import styles from '../../ui/usage/usage.module.css';
import { axisLabels, measureLabels } from '../../ui/usage/usage-labels.ts';
import type { UsageState } from '../../ui/usage/usage-state.ts';

interface CollapsibleControlsProps {
  readonly state: UsageState;
  readonly children: ReactNode;
}

/** On a phone the controls are collapsed into a summary. */
export function CollapsibleControls({ state, children }: CollapsibleControlsProps) {
  const translation = useTranslation();
  const panel = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  if (!useIsPhone()) return children;
  return (
    <>
      <UnstyledButton
        className={styles['fold'] ?? ''}
        aria-expanded={isUnfolded}
        {...(isUnfolded && { 'aria-controls': panel })}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <IconAdjustmentsHorizontal size={16} aria-hidden />
        <span className={styles['chosen']}>{chosenText(state, translation)}</span>
        <IconChevronDown size={16} aria-hidden />
      </UnstyledButton>
      {isUnfolded && (
        <div id={panel} className={styles['unfolded']}>
          {children}
        </div>
      )}
    </>
  );
}

/** Summary such as “Spend · Model by day”. */
function chosenText({ rows, columns, measure }: UsageState, { t, language }: Translation): string {
  const small = (name: keyof typeof axisLabels) => t(axisLabels[name]).toLocaleLowerCase(language);
  if (columns === '') return t('All metrics by {rows}', { rows: small(rows) });
  const table = t('{rows} by {columns}', { rows: t(axisLabels[rows]), columns: small(columns) });
  return `${t(measureLabels[measure])} · ${table}`;
}
