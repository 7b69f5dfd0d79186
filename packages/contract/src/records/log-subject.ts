import * as z from 'zod/mini';
import { type OptionSection, optionSections } from '../settings/option-row.ts';

/** Objects other than users and channels for which the log can be filtered. */
export type LogSubject =
  | { readonly kind: 'redemption'; readonly id: number }
  | { readonly kind: 'settings'; readonly section: OptionSection };

/** Text form in queries and URLs: `redemption:12`, `settings:smtp`. */
export const formatLogSubject = (subject: LogSubject): string =>
  subject.kind === 'redemption' ? `redemption:${subject.id}` : `settings:${subject.section}`;

/** Undefined for an unknown subject. */
export function parseLogSubject(text: string): LogSubject | undefined {
  const id = /^redemption:([1-9]\d{0,14})$/.exec(text)?.[1];
  if (id !== undefined) return { kind: 'redemption', id: Number(id) };
  const section = /^settings:(\w+)$/.exec(text)?.[1] ?? '';
  return isSection(section) ? { kind: 'settings', section } : undefined;
}

const isSection = (name: string): name is OptionSection => Object.hasOwn(optionSections, name);

/** Empty: no filter. */
export const logSubject = z._default(
  z.string().check(z.refine((text) => text === '' || parseLogSubject(text) !== undefined)),
  '',
);
