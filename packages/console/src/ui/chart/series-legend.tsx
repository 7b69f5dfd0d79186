import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ChartSeries } from './chart-data.ts';
import { ChartLegend, type LegendClick } from './chart-legend.tsx';

const none: ReadonlySet<string> = new Set();

interface Hidden {
  readonly names: ReadonlySet<string>;
  /** Names before the last change, which is the first click of a double click. */
  readonly before: ReadonlySet<string>;
}

/** Series hidden by the legend. If it would hide all, it shows all. */
export function useHiddenSeries(series: readonly ChartSeries[]) {
  const [{ names: hidden, before }, setHidden] = useState<Hidden>({ names: none, before: none });
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden({ names: series.every((each) => next.has(each.name)) ? none : next, before: hidden });
  };
  /** Shows only this series, or all if it was the only one. */
  const solo = (name: string, from: ReadonlySet<string>) => {
    const others = series.flatMap((each) => (each.name === name ? [] : [each.name]));
    const isAlone = !from.has(name) && others.every((other) => from.has(other));
    setHidden({ names: isAlone ? none : new Set(others), before: hidden });
  };
  const choose = (name: string, click: LegendClick) => {
    if (click === 'single') toggle(name);
    else solo(name, click === 'double' ? before : hidden);
  };
  return { hidden, choose };
}

interface SeriesLegendProps {
  readonly series: readonly ChartSeries[];
  readonly hidden: ReadonlySet<string>;
  readonly choose: (name: string, click: LegendClick) => void;
}

/** Legend that shows and hides the series. A double click, or a click with a modifier key, shows only one. */
export function SeriesLegend({ series, hidden, choose }: SeriesLegendProps) {
  const { t } = useTranslation();
  const items = series.map(({ name, label, color }) => ({
    name,
    label,
    color,
    isPressed: !hidden.has(name),
    title: [
      hidden.has(name) ? t('Show {name}', { name: label }) : t('Hide {name}', { name: label }),
      t('Double click or Ctrl+click: show only this series'),
    ].join('\n'),
    onToggle: (click: LegendClick) => choose(name, click),
  }));
  return <ChartLegend items={items} isHiding />;
}
