import { type Redemption, redemptionDefaults } from '@headgate/contract';
import { safeFileName } from '../../lib/api/download.ts';
import { type EditExtent, editedFields } from '../../lib/page/changed-fields.ts';

export interface RedemptionForm {
  readonly name: string;
  readonly quota: number | '';
  /** How many codes to make; an existing one has no such field. */
  readonly count: number | '';
}

export const newRedemption: RedemptionForm = { name: '', ...redemptionDefaults };

export const formOf = ({ name, quota }: Redemption): RedemptionForm => ({ ...newRedemption, name, quota });

/** What both creating and changing send. */
export const bodyOf = ({ name, quota }: RedemptionForm) => ({ name: name.trim(), quota: wholeNumber(quota) });

/** What is sent of an edit. */
export const changeOf = (code: Redemption, form: RedemptionForm, extent: EditExtent) => ({
  id: code.id,
  ...editedFields(bodyOf(formOf(code)), bodyOf(form), extent),
});

export const creationOf = (form: RedemptionForm) => ({ ...bodyOf(form), count: wholeNumber(form.count) });

const wholeNumber = (value: number | '') => (value === '' ? 0 : Math.trunc(value));

export interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/** New codes as a file named after them: one a line, the last line ended too. */
export const codeFile = (name: string, codes: readonly string[]): CodeFile => ({
  name: `${safeFileName(name, 'redemption-codes')}.txt`,
  text: codes.map((code) => `${code}\n`).join(''),
});
