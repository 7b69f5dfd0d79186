import type { Usage, UsageHeading } from '@headgate/contract';

export const timelineMeasures = ['quota', 'requests', 'failures'] as const;
export type TimelineMeasure = (typeof timelineMeasures)[number];

/** Usage before the first log is unknown, not zero. */
export const isRecorded = ({ to }: UsageHeading, { first }: Usage): boolean => first > 0 && to >= first;

const shapes = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Axis label of an hour or day. */
export const formatBucketTime = ({ from }: UsageHeading, grain: keyof typeof shapes, language: string): string =>
  new Intl.DateTimeFormat(language, shapes[grain]).format(new Date(from * 1000));
