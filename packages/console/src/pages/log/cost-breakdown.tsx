import { Fragment } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatPrice } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './log.module.css';
import type { Charge } from './log-charge.ts';

interface CostBreakdownProps {
  readonly charge: Charge;
  readonly quota: number;
}

const million = 1_000_000;

/** Cost breakdown line by line: amounts first, then ratios in small print. */
export function CostBreakdown({ charge, quota }: CostBreakdownProps) {
  const { t, label } = useTranslation();
  const { display_in_currency: isInDollars, quota_per_unit: perDollar } = useStatus();
  const { lines, modelRatio, completionRatio, groupRatio, group } = charge;
  const amount = (points: number) =>
    isInDollars ? formatPrice(points / perDollar) : t('{points} points', { points: formatNumber(points) });
  const ratios = [
    `${t('Model ratio')} × ${formatNumber(modelRatio)}`,
    `${t('Completion ratio')} × ${formatNumber(completionRatio)}`,
    `${group ? t('Group ratio ({group})', { group }) : t('Group ratio')} × ${formatNumber(groupRatio)}`,
    ...(isInDollars ? [t('{points} points', { points: formatNumber(quota) })] : []),
  ];
  return (
    <>
      <dl className={styles['sum']}>
        {lines.map(({ name, tokens, pointsEach }) => (
          <Fragment key={name}>
            <dt>
              {label(name)}
              <span className={styles['rate']}>
                {name !== 'Per request' &&
                  `${formatNumber(tokens)} × ${t('{price} per million', { price: amount(pointsEach * million) })}`}
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
