import { type FailureCount, logType } from '@headgate/contract';

/** Failures of one channel. */
export interface FailingChannel {
  /** 0: rejected before routing. */
  readonly channel: number;
  readonly name: string;
  readonly rows: number;
  readonly counts: readonly FailureCount[];
}

/** Failures by channel, the worst first. */
export function failingChannels(counts: readonly FailureCount[]): readonly FailingChannel[] {
  return [...Map.groupBy(counts, ({ channel }) => channel)]
    .map(([channel, some]) => ({
      channel,
      name: some[0]?.channel_name ?? '',
      rows: some.reduce((sum, { rows }) => sum + rows, 0),
      counts: some.toSorted((one, other) => other.rows - one.rows),
    }))
    .sort((one, other) => other.rows - one.rows);
}

/** Log filters for a count. */
export const logSearchOf = ({ channel, reason }: Pick<FailureCount, 'channel' | 'reason'>, start: number) => ({
  type: String(logType.failure),
  ...(channel > 0 && { channel: String(channel) }),
  ...(reason !== '' && { reason }),
  ...(start > 0 && { start: String(start) }),
});

const midnight = (daysAgo: number) => {
  const time = new Date();
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() - daysAgo).getTime() / 1000;
};

/** Time ranges by URL value, each from the start of a day until now. */
export const failureRanges = {
  today: { label: 'Today', start: () => midnight(0) },
  week: { label: '7 days', start: () => midnight(6) },
  month: { label: '30 days', start: () => midnight(29) },
} as const;
export type FailureRange = keyof typeof failureRanges;

export const rangeOf = (text: string | undefined): FailureRange =>
  text === 'week' || text === 'month' ? text : 'today';
