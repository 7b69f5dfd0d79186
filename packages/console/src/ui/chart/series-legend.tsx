import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ChartSeries } from './chart-data.ts';
import { ChartLegend } from './chart-legend.tsx';

const none: ReadonlySet<string> = new Set();

/** Series hidden by the legend. If it would hide all, it shows all. */
export function useHiddenSeries(series: readonly ChartSeries[]) {
  const [hidden, setHidden] = useState(none);
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(series.every((each) => next.has(each.name)) ? none : next);
  };
  return { hidden, toggle };
}

interface SeriesLegendProps {
  readonly series: readonly ChartSeries[];
  readonly hidden: ReadonlySet<string>;
  readonly toggle: (name: string) => void;
}

/** Legend that shows and hides the series. */
export function SeriesLegend({ series, hidden, toggle }: SeriesLegendProps) {
  const { t } = useTranslation();
  const items = series.map(({ name, label, color }) => ({
    name,
    label,
    color,
    isPressed: !hidden.has(name),
    title: hidden.has(name) ? t('Show {name}', { name: label }) : t('Hide {name}', { name: label }),
    onToggle: () => toggle(name),
  }));
  return <ChartLegend items={items} isHiding />;
}
