import { neverExpires, type Token } from '@headgate/contract';
import { formatTime, parseTime } from '../../lib/format/format.ts';
import { type EditExtent, editedFields } from '../../lib/page/changed-fields.ts';

export interface TokenForm {
  readonly name: string;
  readonly remain_quota: number | '';
  readonly unlimited_quota: boolean;
  /** Local time as text; empty means never. */
  readonly expiry: string;
  readonly models: readonly string[];
  readonly subnet: string;
  /** Names of models with stars in them; they travel with the models. */
  readonly patterns: readonly string[];
  readonly note: string;
  readonly groups: readonly string[];
  readonly dialects: readonly string[];
  readonly endpoints: readonly string[];
}

export const newToken: TokenForm = {
  name: '',
  remain_quota: 500_000,
  unlimited_quota: false,
  expiry: '',
  models: [],
  subnet: '',
  patterns: [],
  note: '',
  groups: [],
  dialects: [],
  endpoints: [],
};

export const formOf = (token: Token): TokenForm => ({
  name: token.name,
  remain_quota: Math.max(token.remain_quota, 0),
  unlimited_quota: token.unlimited_quota,
  expiry: token.expired_time === neverExpires ? '' : formatTime(token.expired_time),
  models: splitList(token.models).filter((name) => !isPattern(name)),
  subnet: token.subnet ?? '',
  patterns: splitList(token.models).filter(isPattern),
  note: token.note,
  groups: splitList(token.groups),
  dialects: splitList(token.dialects),
  endpoints: splitList(token.endpoints),
});

const isPattern = (name: string): boolean => name.includes('*');

/** What is sent; the expiry has been checked to be a time. */
export function bodyOf(form: TokenForm) {
  return {
    name: form.name.trim(),
    remain_quota: form.remain_quota === '' ? 0 : form.remain_quota,
    unlimited_quota: form.unlimited_quota,
    expired_time: secondsOf(form.expiry) ?? neverExpires,
    models: [...form.models, ...form.patterns].join(','),
    subnet: form.subnet,
    note: form.note.trim(),
    groups: form.groups.join(','),
    dialects: form.dialects.join(','),
    endpoints: form.endpoints.join(','),
  };
}

const scopeFields = ['note', 'groups', 'dialects', 'endpoints'] as const;

/** What is sent of a new token: of the later fields only those that are set, as gateways of old know none. */
export function creationOf(form: TokenForm) {
  const body = bodyOf(form);
  const { note: _note, groups: _groups, dialects: _dialects, endpoints: _endpoints, ...plain } = body;
  return { ...plain, ...Object.fromEntries(scopeFields.flatMap((name) => (body[name] ? [[name, body[name]]] : []))) };
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
