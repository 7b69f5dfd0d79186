import { type Redemption, redemptionDefaults } from '@headgate/contract';
import { safeFileName } from '../../lib/api/download.ts';
import { formatTime, parseTime } from '../../lib/format/format.ts';
import { type EditMode, editedFields } from '../../lib/page/changed-fields.ts';

export interface RedemptionForm {
  readonly name: string;
  readonly quota: number | '';
  /** Number of codes to create; not used for existing codes. */
  readonly count: number | '';
  readonly max_uses: number | '';
  /** Local time as text; empty means never. */
  readonly expiry: string;
  /** ID of a plan instead of quota; empty: none. */
  readonly plan: string;
}

export const newRedemption: RedemptionForm = {
  name: '',
  quota: redemptionDefaults.quota,
  count: redemptionDefaults.count,
  max_uses: redemptionDefaults.max_uses,
  expiry: '',
  plan: '',
};

export const formOf = ({ name, quota, max_uses, expired_time, plan_id }: Redemption): RedemptionForm => ({
  ...newRedemption,
  name,
  quota,
  max_uses,
  expiry: expired_time === redemptionDefaults.expired_time ? '' : formatTime(expired_time),
  plan: plan_id === 0 ? '' : String(plan_id),
});

/** Seconds since 1970, 0 for never; undefined if invalid. */
export const parseExpiry = (expiry: string): number | undefined =>
  expiry.trim() === '' ? redemptionDefaults.expired_time : parseTime(expiry);

/** Newer fields, which old gateways reject. The expiry has already been validated. */
const usesOf = ({ max_uses, expiry }: RedemptionForm) => ({
  max_uses: wholeNumber(max_uses),
  expired_time: parseExpiry(expiry) ?? redemptionDefaults.expired_time,
});

/** Common fields of create and update. The plan of a code cannot be changed. */
export const bodyOf = ({ name, quota, plan }: RedemptionForm) => ({
  name: name.trim(),
  ...(plan === '' && { quota: wholeNumber(quota) }),
});

/** Request body of an edit. */
export const changeOf = (code: Redemption, form: RedemptionForm, extent: EditMode) => ({
  id: code.id,
  ...editedFields(bodyOf(formOf(code)), bodyOf(form), extent),
  ...editedFields(usesOf(formOf(code)), usesOf(form), 'changes'),
});

export const creationOf = (form: RedemptionForm) => ({
  ...bodyOf(form),
  count: wholeNumber(form.count),
  ...(form.plan !== '' && { plan_id: Number(form.plan) }),
  ...editedFields(usesOf(newRedemption), usesOf(form), 'changes'),
});

const wholeNumber = (value: number | '') => (value === '' ? 0 : Math.trunc(value));

export interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/** A file with one code per line and a trailing line break, named after the codes. */
export const codeFile = (name: string, codes: readonly string[]): CodeFile => ({
  name: `${safeFileName(name, 'redemption-codes')}.txt`,
  text: codes.map((code) => `${code}\n`).join(''),
});
