import styles from './chart.module.css';
import type { TooltipRow } from './chart-data.ts';

interface ChartTooltipProps {
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  /** Position of the crosshair between 0 and 1. */
  readonly share: number;
}

/** Values at the crosshair, on the side with more room. The slider has them as text for screen readers. */
export function ChartTooltip({ title, rows, share }: ChartTooltipProps) {
  const side = share < 0.5 ? { left: `calc(${share * 100}% + 12px)` } : { right: `calc(${(1 - share) * 100}% + 12px)` };
  return (
    <div className={styles['tooltip']} style={side} aria-hidden data-chart-tooltip>
      <div className={styles['tooltipTitle']}>{title}</div>
      {rows.map(({ label, color, text }) => (
        <div key={label} className={styles['tooltipRow']} data-sum={(color === undefined && text !== '') || undefined}>
          <i style={{ background: color }} />
          <span>{label}</span>
          <b>{text}</b>
        </div>
      ))}
    </div>
  );
}
