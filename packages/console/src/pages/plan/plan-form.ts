import {
  type Currency,
  currencies,
  decimalAmount,
  type Plan,
  type PlanWindow,
  splitCommas,
  windowPeriods,
} from '@headgate/contract';

/** Fields of the plan form. Amounts are empty where there is no window. */
export interface PlanForm {
  readonly name: string;
  readonly description: string;
  readonly currency: Currency;
  /** In units of the currency, as typed. */
  readonly price: string;
  readonly days: string;
  readonly hours: string;
  readonly amounts: Readonly<Record<PlanWindow['period'], number | ''>>;
  readonly time_zone: string;
  readonly models: readonly string[];
  readonly groups: readonly string[];
  readonly upgrade_group: string;
  readonly recurring: boolean;
  readonly max_per_user: string;
  readonly enabled: boolean;
  readonly sort: string;
}

const noAmounts: PlanForm['amounts'] = { hours: '', day: '', week: '', month: '', all: '' };

export const newPlan = (timeZone: string): PlanForm => ({
  name: '',
  description: '',
  currency: 'usd',
  price: '',
  days: '30',
  hours: '5',
  amounts: noAmounts,
  time_zone: timeZone,
  models: [],
  groups: [],
  upgrade_group: '',
  recurring: false,
  max_per_user: '1',
  enabled: true,
  sort: '0',
});

export function formOf(plan: Plan): PlanForm {
  const amounts = { ...noAmounts, ...Object.fromEntries(plan.windows.map(({ period, amount }) => [period, amount])) };
  const rolling = plan.windows.find(({ period }) => period === 'hours');
  const { name, description, currency, time_zone, upgrade_group, recurring, enabled } = plan;
  return {
    ...{ name, description, currency, time_zone, upgrade_group, recurring, enabled, amounts },
    price: plan.price === 0 ? '' : decimalAmount(plan.price, currency),
    days: String(plan.days),
    hours: String(rolling?.hours ?? 5),
    models: splitCommas(plan.models),
    groups: splitCommas(plan.groups),
    max_per_user: String(plan.max_per_user),
    sort: String(plan.sort),
  };
}

/** Smallest units of a price as typed; empty is 0. Undefined if it is not a price. */
export function parsePrice(text: string, currency: Currency): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text.trim() === '' ? '0' : text.trim()) ?? [];
  const decimals = currencies[currency];
  if (whole === '' || fraction.length > decimals) return undefined;
  return Number(whole + fraction.padEnd(decimals, '0'));
}

const windowsOf = ({ amounts, hours }: PlanForm) =>
  windowPeriods.flatMap((period) => {
    const amount = amounts[period];
    return amount === '' ? [] : [{ period, hours: period === 'hours' ? Number(hours) : 0, amount }];
  });

export const termsOf = (form: PlanForm) => ({
  name: form.name,
  description: form.description,
  currency: form.currency,
  price: parsePrice(form.price, form.currency) ?? 0,
  days: Number(form.days),
  windows: windowsOf(form),
  time_zone: form.time_zone,
  models: form.models.join(','),
  groups: form.groups.join(','),
  upgrade_group: form.upgrade_group,
  recurring: form.recurring,
  max_per_user: Number(form.max_per_user),
  enabled: form.enabled,
  sort: Number(form.sort),
});

export const hasWindow = ({ amounts }: PlanForm): boolean => windowPeriods.some((period) => amounts[period] !== '');

export const isWhole = (text: string, min: number, max: number): boolean =>
  /^-?\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
