import { Fragment } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { figure, price } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './log.module.css';
import type { Charge } from './log-charge.ts';

interface LogSumProps {
  readonly charge: Charge;
  readonly quota: number;
}

const million = 1_000_000;

/** Cost breakdown line by line: amounts first, ratios in small print. */
export function LogSum({ charge, quota }: LogSumProps) {
  const { t, label } = useWords();
  const { display_in_currency: isInDollars, quota_per_unit: perDollar } = useStatus();
  const { lines, modelRatio, completionRatio, groupRatio, group } = charge;
  const amount = (points: number) =>
    isInDollars ? price(points / perDollar) : t('{points} points', { points: figure(points) });
  const ratios = [
    `${t('Model ratio')} × ${figure(modelRatio)}`,
    `${t('Completion ratio')} × ${figure(completionRatio)}`,
    `${group ? t('Group ratio ({group})', { group }) : t('Group ratio')} × ${figure(groupRatio)}`,
    ...(isInDollars ? [t('{points} points', { points: figure(quota) })] : []),
  ];
  return (
    <>
      <dl className={styles['sum']}>
        {lines.map(({ name, tokens, pointsEach }) => (
          <Fragment key={name}>
            <dt>
              {label(name)}
              <span className={styles['rate']}>
                {figure(tokens)} × {t('{price} per million', { price: amount(pointsEach * million) })}
              </span>
            </dt>
            <dd>{amount(tokens * pointsEach)}</dd>
          </Fragment>
        ))}
        <dt data-sum>{t('Charged')}</dt>
        <dd data-sum>
          <strong>{amount(quota)}</strong>
        </dd>
      </dl>
      <p className={styles['ratios']}>{ratios.join(' · ')}</p>
    </>
  );
}
