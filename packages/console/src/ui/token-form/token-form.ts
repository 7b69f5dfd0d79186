import { neverExpires, type Token } from '@headgate/contract';
import { formatTime, parseTime } from '../../lib/format/format.ts';
import { type EditMode, editedFields } from '../../lib/page/changed-fields.ts';

export interface TokenForm {
  readonly name: string;
  readonly remain_quota: number | '';
  readonly unlimited_quota: boolean;
  /** Local time as text; empty means never. */
  readonly expiry: string;
  readonly models: readonly string[];
  readonly subnet: string;
  /** Model patterns with wildcards; sent together with the models. */
  readonly patterns: readonly string[];
  readonly note: string;
  readonly groups: readonly string[];
  readonly dialects: readonly string[];
  readonly endpoints: readonly string[];
  /** Fixed tags as `key=value`. */
  readonly tags: readonly string[];
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
  tags: [],
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
  tags: splitList(token.fixed_tags),
});

const isPattern = (name: string): boolean => name.includes('*');

/** Request body; the expiry has been validated. */
export function bodyOf(form: TokenForm) {
  return {
    name: form.name.trim(),
    remain_quota: form.remain_quota === '' ? 0 : form.remain_quota,
    unlimited_quota: form.unlimited_quota,
    expired_time: parseExpiry(form.expiry) ?? neverExpires,
    models: [...form.models, ...form.patterns].join(','),
    subnet: form.subnet,
    note: form.note.trim(),
    groups: form.groups.join(','),
    dialects: form.dialects.join(','),
    endpoints: form.endpoints.join(','),
    fixed_tags: form.tags.join(','),
  };
}

const scopeFields = ['note', 'groups', 'dialects', 'endpoints', 'fixed_tags'] as const;

/** Request body of a new token. Newer fields are only sent if set, because old gateways reject them. */
export function creationOf(form: TokenForm) {
  const body = bodyOf(form);
  const {
    note: _note,
    groups: _groups,
    dialects: _dialects,
    endpoints: _endpoints,
    fixed_tags: _tags,
    ...plain
  } = body;
  return { ...plain, ...Object.fromEntries(scopeFields.flatMap((name) => (body[name] ? [[name, body[name]]] : []))) };
}

/**
 * Request body of an edit. A quota is sent together with the remaining quota when the form was opened, because some may
 * have been spent since.
 */
export function changeOf(token: Token, form: TokenForm, extent: EditMode) {
  const change = editedFields(bodyOf(formOf(token)), bodyOf(form), extent);
  const isGuarded = extent === 'changes' && change.remain_quota !== undefined;
  return {
    id: token.id,
    ...change,
    ...(isGuarded && { remain_quota_was: token.remain_quota }),
  };
}

/** Seconds since 1970, -1 for never (which can also be typed); undefined if invalid. */
export function parseExpiry(expiry: string): number | undefined {
  const text = expiry.trim();
  return text === '' || text === String(neverExpires) ? neverExpires : parseTime(text);
}

/** Splits a comma-separated list. */
export const splitList = (text: string | null) => (text ?? '').split(',').filter((part) => part !== '');
