import { type Redemption, redemptionDefaults } from '@headgate/contract';
import { safeFileName } from '../../lib/api/download.ts';
import { type EditMode, editedFields } from '../../lib/page/changed-fields.ts';

export interface RedemptionForm {
  readonly name: string;
  readonly quota: number | '';
  /** Number of codes to create; not used for existing codes. */
  readonly count: number | '';
}

export const newRedemption: RedemptionForm = { name: '', ...redemptionDefaults };

export const formOf = ({ name, quota }: Redemption): RedemptionForm => ({ ...newRedemption, name, quota });

/** Common fields of create and update. */
export const bodyOf = ({ name, quota }: RedemptionForm) => ({ name: name.trim(), quota: wholeNumber(quota) });

/** Request body of an edit. */
export const changeOf = (code: Redemption, form: RedemptionForm, extent: EditMode) => ({
  id: code.id,
  ...editedFields(bodyOf(formOf(code)), bodyOf(form), extent),
});

export const creationOf = (form: RedemptionForm) => ({ ...bodyOf(form), count: wholeNumber(form.count) });

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
