import { logType } from '@headgate/contract';

export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;

/** First second of the hour of a time. */
export const hourOf = (time: number): number => time - (time % secondsPerHour);

/** Last second of the hour of a time. */
export const endOfHour = (time: number): number => hourOf(time) + secondsPerHour - 1;

/** True for log types of requests. Only those count as usage. */
export const isRequestLogType = (type: number): boolean => type === logType.consumption || type === logType.failure;
