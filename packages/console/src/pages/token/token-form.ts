import { neverExpires, type Token } from '@headgate/contract';
import { type EditExtent, editedFields } from '../../lib/changed-fields.ts';
import { formatTime, parseTime } from '../../lib/format.ts';

export interface TokenForm {
  readonly name: string;
  readonly remain_quota: number | '';
  readonly unlimited_quota: boolean;
  /** Local time as text; empty means never. */
  readonly expiry: string;
  readonly models: readonly string[];
  readonly subnet: string;
}

export const newToken: TokenForm = {
  name: '',
  remain_quota: 500_000,
  unlimited_quota: false,
  expiry: '',
  models: [],
  subnet: '',
};

export const formOf = (token: Token): TokenForm => ({
  name: token.name,
  remain_quota: Math.max(token.remain_quota, 0),
  unlimited_quota: token.unlimited_quota,
  expiry: token.expired_time === neverExpires ? '' : formatTime(token.expired_time),
  models: splitList(token.models),
  subnet: token.subnet ?? '',
});

/** What is sent; the expiry has been checked to be a time. */
export function bodyOf(form: TokenForm) {
  return {
    name: form.name.trim(),
    remain_quota: form.remain_quota === '' ? 0 : form.remain_quota,
    unlimited_quota: form.unlimited_quota,
    expired_time: secondsOf(form.expiry) ?? neverExpires,
    models: form.models.join(','),
    subnet: form.subnet,
  };
}

/** What is sent of an edit; a limit goes with what was left when the form was opened, which programs may have spent since. */
export function changeOf(token: Token, form: TokenForm, extent: EditExtent) {
  const change = editedFields(bodyOf(formOf(token)), bodyOf(form), extent);
  const isGuarded = extent === 'changes' && change.remain_quota !== undefined;
  return {
    id: token.id,
    ...change,
    ...(isGuarded && { remain_quota_was: token.remain_quota }),
  };
}

/** Seconds since 1970; -1 for never, which may also be typed. Undefined when it is no time. */
export function secondsOf(expiry: string): number | undefined {
  const text = expiry.trim();
  return text === '' || text === String(neverExpires) ? neverExpires : parseTime(text);
}

/** The parts of a list that travels as one text. */
export const splitList = (text: string | null) => (text ?? '').split(',').filter((part) => part !== '');
