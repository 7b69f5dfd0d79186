import { UnstyledButton } from '@mantine/core';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useWords, type WordsIn } from '../../i18n/translate.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import styles from './usage.module.css';
import type { UsageState } from './usage-state.ts';
import { axisWords, measureWords } from './usage-words.ts';

interface UsageFoldProps {
  readonly state: UsageState;
  readonly children: ReactNode;
}

/** On a phone the controls are collapsed into a summary. */
export function UsageFold({ state, children }: UsageFoldProps) {
  const words = useWords();
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
        <span className={styles['chosen']}>{chosenText(state, words)}</span>
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
function chosenText({ rows, columns, measure }: UsageState, { t, language }: WordsIn): string {
  const small = (name: keyof typeof axisWords) => t(axisWords[name]).toLocaleLowerCase(language);
  if (columns === '') return t('All metrics by {rows}', { rows: small(rows) });
  const table = t('{rows} by {columns}', { rows: t(axisWords[rows]), columns: small(columns) });
  return `${t(measureWords[measure])} · ${table}`;
}
