import { mayChangeOption, type OptionKey, optionFault } from '@headgate/contract';
import type { UserRow } from '../db/rows.ts';
import { Refusal } from '../errors/refusal.ts';
import { faultSentence, labelOf } from './option-words.ts';

/** Applies to every change of an option, through any API. */
export function requireRole(actor: UserRow, key: OptionKey): void {
  if (!mayChangeOption(actor, key)) throw new Refusal('optionOfRoot', { setting: labelOf(key) });
}

/** A stored text that does not parse would count as the default. */
export function requireReadable(key: OptionKey, text: string): void {
  const fault = optionFault(key, text);
  if (fault) throw new Refusal('optionInvalid', { fault: faultSentence(key, fault) });
}
