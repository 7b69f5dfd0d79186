import { logType } from '@headgate/contract';

export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;

/** The first second of the hour of a time. */
export const hourOf = (time: number): number => time - (time % secondsPerHour);

/** The last second of the hour of a time. */
export const endOfHour = (time: number): number => hourOf(time) + secondsPerHour - 1;

/** Types of logs that are about requests. Only those are usage. */
export const isRequest = (type: number): boolean => type === logType.consumption || type === logType.failure;
