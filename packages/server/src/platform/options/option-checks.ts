import { mayChangeOption, type OptionKey, optionError } from '@headgate/contract';
import type { UserRow } from '../db/rows.ts';
import { ApiError } from '../errors/api-error.ts';
import { optionErrorMessage, optionLabel } from './option-labels.ts';

/** Applies to every change of an option, through any API. */
export function requireRole(actor: UserRow, key: OptionKey): void {
  if (!mayChangeOption(actor, key)) throw new ApiError('optionOfRoot', { setting: optionLabel(key) });
}

/** Rejects a text that does not parse, which would count as the default. */
export function requireParsable(key: OptionKey, text: string): void {
  const fault = optionError(key, text);
  if (fault) throw new ApiError('optionInvalid', { fault: optionErrorMessage(key, fault) });
}
