import styles from './spark.module.css';

interface SparklineBar {
  readonly value: number;
  /** Shown on hover. */
  readonly title: string;
}

interface SparklineProps {
  readonly bars: readonly SparklineBar[];
  /** Height in pixels. */
  readonly height: number;
  /** Description for screen readers. */
  readonly label: string;
}

const width = 100;
const gap = 0.22;
/** Height of a small value, so that it stays visible. */
const min = 1.5;

/** Small bar chart without axes, light enough for every row of a list. */
export function Sparkline({ bars, height, label }: SparklineProps) {
  const max = Math.max(0, ...bars.map(({ value }) => value));
  const step = width / Math.max(1, bars.length);
  const scaled = (value: number) => (value === 0 || max === 0 ? 0 : Math.max(min, (value / max) * height));
  return (
    <svg
      className={styles['spark']}
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map(({ value, title }, at) => {
        const whole = scaled(value);
        const bar = { x: at * step + (step * gap) / 2, width: step * (1 - gap) };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars are positions in time
          <g key={at}>
            <title>{title}</title>
            <rect data-part="base" {...bar} y={height - 1} height={1} />
            <rect data-part="main" {...bar} y={height - whole} height={whole} />
            <rect data-part="hover" x={at * step} width={step} y={0} height={height} />
          </g>
        );
      })}
    </svg>
  );
}
