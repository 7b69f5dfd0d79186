import type { LimitCountScope, LimitMeasure, LimitRule } from '@headgate/contract';

/** Form of a limit; an empty field matches any. */
export interface LimitForm {
  readonly measure: LimitMeasure;
  readonly amount: number | '';
  readonly counts_per: LimitCountScope;
  readonly group: string;
  readonly model: string;
  readonly tag: string;
  readonly user_id: number | '';
  readonly token_id: number | '';
  readonly channel_id: number | '';
  readonly note: string;
  readonly enabled: boolean;
}

export const newLimit: LimitForm = {
  measure: 'requests_per_minute',
  amount: 60,
  counts_per: 'user',
  group: '',
  model: '',
  tag: '',
  user_id: '',
  token_id: '',
  channel_id: '',
  note: '',
  enabled: true,
};

/** New limit for the subject in the URL: `?token_id=7`. Other parameters are ignored. */
export function newLimitFor(search: Readonly<Record<string, unknown>>): LimitForm {
  const idOf = (name: string): number | '' => {
    const id = Number(search[name]);
    return Number.isSafeInteger(id) && id > 0 ? id : '';
  };
  const { group, model } = search;
  return {
    ...newLimit,
    ...(typeof group === 'string' && { group }),
    ...(typeof model === 'string' && { model }),
    ...{ user_id: idOf('user_id'), token_id: idOf('token_id'), channel_id: idOf('channel_id') },
  };
}

const amountText = (id: number): number | '' => (id === 0 ? '' : id);

export const formOf = (rule: LimitRule): LimitForm => {
  const { measure, amount, counts_per, group, model, tag, note, enabled } = rule;
  return {
    ...{ measure, amount, counts_per, group, model, tag, note, enabled },
    user_id: amountText(rule.user_id),
    token_id: amountText(rule.token_id),
    channel_id: amountText(rule.channel_id),
  };
};

const wholeNumber = (value: number | ''): number => (value === '' ? 0 : Math.trunc(value));

/** Request body of the form. */
export const bodyOf = (form: LimitForm) => ({
  ...form,
  group: form.group.trim(),
  model: form.model.trim(),
  tag: form.tag.trim(),
  note: form.note.trim(),
  amount: wholeNumber(form.amount),
  user_id: wholeNumber(form.user_id),
  token_id: wholeNumber(form.token_id),
  channel_id: wholeNumber(form.channel_id),
});
export type LimitBody = ReturnType<typeof bodyOf>;
