import * as z from 'zod/mini';
import { timeoutSeconds } from '../catalog/channel-types.ts';
import { maxFailureRuleResults, readFailureRule } from '../catalog/failure-rule.ts';
import { maxConfigurablePasswordLength, passwordLength } from '../catalog/limits.ts';
import { readTopUpAmounts, serializeTopUpAmounts } from '../payments/top-up-amounts.ts';
import { isTagKey, maxTagKeys } from '../records/tags.ts';
import { splitCommas } from '../wire/list.ts';
import { stripTrailingSlash } from '../wire/trailing-slash.ts';
import type { OptionErrorMessage } from './option-messages.ts';
import type { OptionControl, OptionErrorValues, OptionRow, OptionSection, Ratios } from './option-row.ts';

type Extras = Pick<OptionRow, 'hint' | 'help' | 'step' | 'isQuota' | 'needs' | 'sentTo'> &
  Partial<Pick<OptionRow, 'changedBy'>>;

/** Admins may change an option by default. */
const changedByAdmins = { changedBy: 'admin' } as const;

interface Range {
  readonly min: number;
  readonly max: number;
}

const must = <T>(message: OptionErrorMessage, isRight: (value: T) => boolean, values: OptionErrorValues = {}) =>
  mustNotHave<T>(message, (value) => (isRight(value) ? undefined : values));

/** Fails with the placeholder values that `find` returns for the message; undefined means valid. */
const mustNotHave = <T>(message: OptionErrorMessage, find: (value: T) => OptionErrorValues | undefined) =>
  z.check<T>(({ value, issues }) => {
    const values = find(value);
    if (values) issues.push({ code: 'custom', message, params: values, input: value });
  });

const maxCharacters = (max: number) =>
  must<string>('{label} may have at most {max} characters', (value) => value.length <= max, { max });

const onlyOneLine = must<string>(
  '{label} must not contain line breaks or control characters',
  (value) => !/\p{Cc}/u.test(value),
);

const own = (value: string): string => value;

export const toggle = (
  section: OptionSection,
  label: string,
  initial: boolean,
  extras: Extras = {},
): OptionRow<boolean> => ({
  section,
  control: 'toggle',
  label,
  initial,
  schema: z.pipe(
    z.string().check(must('{label} must be true or false', (value) => value === 'true' || value === 'false')),
    z.transform((value) => value === 'true'),
  ),
  format: String,
  ...changedByAdmins,
  ...extras,
});

/** Maximum number of decimals, to avoid exponents, which could not be parsed back. */
const decimals = 6;

const numberKinds = {
  integer: {
    message: '{label} must be a whole number from {min} to {max}',
    read: (value: string) => (Number.isInteger(Number(value)) ? Number(value) : Number.NaN),
  },
  number: {
    message: '{label} must be a number from {min} to {max}',
    read: (value: string) => Number(Number(value).toFixed(decimals)),
  },
} as const;

const number =
  (control: keyof typeof numberKinds, { min, max }: Range) =>
  (section: OptionSection, label: string, initial: number, extras: Extras = {}): OptionRow<number> => {
    const { message, read } = numberKinds[control];
    const isInRange = (value: string) =>
      /^\s*-?\d+(\.\d+)?\s*$/.test(value) && read(value) >= min && read(value) <= max;
    const schema = z.pipe(z.string().check(must(message, isInRange, { min, max })), z.transform(read));
    return { section, control, label, initial, schema, format: String, ...changedByAdmins, ...extras };
  };

const points = number('integer', { min: 0, max: 1e15 });

/** A quota option, small enough that sums stay exact. */
export const quotaAmount: typeof points = (section, label, initial, extras = {}) =>
  points(section, label, initial, { ...extras, isQuota: true });

export const passwordMaximum = number('integer', { min: passwordLength.max, max: maxConfigurablePasswordLength });
export const retries = number('integer', { min: 0, max: 100 });
/** Percentages may exceed 100. */
export const percent = number('integer', { min: 0, max: 1000 });
/** Percentage of a total. */
export const percentOfTotal = number('integer', { min: 0, max: 100 });
/** Part of a price in percent, with decimals. */
export const taxRate = number('number', { min: 0, max: 100 });
export const count = number('integer', { min: 1, max: 10_000 });
/** 0: never. */
export const days = number('integer', { min: 0, max: 3650 });
export const megabytes = number('integer', { min: 1, max: 1_000_000 });
export const tokens = number('integer', { min: 1, max: 10_000_000 });
/** A concurrency limit; 0 for unlimited. */
export const concurrencyLimit = number('integer', { min: 0, max: 1_000_000 });
export const positiveNumber = number('number', { min: 10 ** -decimals, max: 1e15 });
export const seconds = number('number', { min: 0, max: 86_400 });
export const timeout = number('integer', timeoutSeconds);
export const port = number('integer', { min: 1, max: 65_535 });

const stringOption =
  (control: OptionControl, schema: z.ZodMiniType<string, string>) =>
  (section: OptionSection, label: string, extras: Extras & { initial?: string } = {}): OptionRow<string> => {
    const { initial = '', ...rest } = extras;
    return { section, control, label, initial, schema, format: own, ...changedByAdmins, ...rest };
  };

export const text = stringOption('text', z.string().check(z.trim(), maxCharacters(1000), onlyOneLine));
export const longText = stringOption('long-text', z.string().check(maxCharacters(200_000)));

export const failureRule = stringOption(
  'text',
  z.string().check(
    z.trim(),
    z.overwrite((value) => value.replace(/ {2,}/g, ' ')),
    must(
      '{label} must be 0 or a rule such as 3 of 5 or 3 in 10m, within {max} requests or one day',
      (value) => readFailureRule(value) !== null,
      { max: maxFailureRuleResults },
    ),
  ),
);

/** Write-only: the server only returns whether a value is stored. */
export const secret = stringOption('secret', z.string().check(z.trim(), maxCharacters(4000), onlyOneLine));

export const address = stringOption(
  'address',
  z.string().check(
    z.trim(),
    maxCharacters(2000),
    z.overwrite(stripTrailingSlash),
    must(
      '{label} must start with http:// or https:// and contain no spaces',
      (value) => value === '' || /^https?:\/\/[^\s/?#]\S*$/i.test(value),
    ),
  ),
);

export const choice = (
  section: OptionSection,
  label: string,
  choices: readonly [string, ...string[]],
  extras: Extras = {},
): OptionRow<string> => ({
  section,
  control: 'choice',
  label,
  initial: choices[0],
  schema: z
    .string()
    .check(
      must('{label} must be one of {choices}', (value) => choices.includes(value), { choices: choices.join(', ') }),
    ),
  format: own,
  choices,
  ...changedByAdmins,
  ...extras,
});

/** Quota amounts on offer, with their bonus. */
export const topUpAmounts = stringOption(
  'text',
  z.string().check(
    z.trim(),
    maxCharacters(500),
    must('{label} must be a list of amounts such as 5, 20, 100 +10%', (value) => readTopUpAmounts(value) !== undefined),
    z.overwrite((value) => serializeTopUpAmounts(readTopUpAmounts(value) ?? [])),
  ),
);

const maximum = 1000;
const isDomain = (value: string) => value.includes('.') && value.split('.').every(isDomainLabel);
const isDomainLabel = (label: string) =>
  /^[\p{L}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-');

const splitDomains = (value: string): string[] => {
  const parts = value.split(',').map((part) => part.trim().toLowerCase());
  return [...new Set(parts.filter((part) => part !== ''))];
};

export const domains = (
  section: OptionSection,
  label: string,
  initial: readonly string[],
): OptionRow<readonly string[]> => ({
  section,
  control: 'list',
  label,
  initial,
  schema: z.pipe(
    z.pipe(z.string(), z.transform(splitDomains)),
    z.array(z.string()).check(
      must('{label} may have at most {max} entries', (items) => items.length <= maximum, { max: maximum }),
      mustNotHave('{label}: {item} is not a valid domain', (items) => {
        const item = items.find((name) => name.length > 253 || !isDomain(name));
        return item === undefined ? undefined : { item: item.slice(0, 100) };
      }),
    ),
  ),
  format: (value) => value.join(','),
  ...changedByAdmins,
});

/** Names of request fields. */
export const fieldNames = (section: OptionSection, label: string, extras: Extras): OptionRow<readonly string[]> => ({
  section,
  control: 'list',
  label,
  initial: [],
  schema: z.pipe(
    z.pipe(z.string(), z.transform(splitCommas)),
    z.array(z.string()).check(
      must('{label} may have at most {max} entries', (items) => items.length <= maximum, { max: maximum }),
      mustNotHave('{label}: {item} is not a valid field name', (items) => {
        const item = items.find((name) => !/^\w{1,64}$/.test(name));
        return item === undefined ? undefined : { item: item.slice(0, 100) };
      }),
    ),
  ),
  format: (value) => value.join(','),
  ...changedByAdmins,
  ...extras,
});

/** Keys of request tags. */
export const tagKeys = (section: OptionSection, label: string, extras: Extras): OptionRow<readonly string[]> => ({
  section,
  control: 'list',
  label,
  initial: [],
  schema: z.pipe(
    z.pipe(z.string(), z.transform(splitCommas)),
    z.array(z.string()).check(
      must('{label} may have at most {max} entries', (items) => items.length <= maxTagKeys, { max: maxTagKeys }),
      mustNotHave('{label}: {item} is not a valid tag key', (items) => {
        const item = items.find((name) => !isTagKey(name));
        return item === undefined ? undefined : { item: item.slice(0, 100) };
      }),
    ),
  ),
  format: (value) => value.join(','),
  ...changedByAdmins,
  ...extras,
});

/** A JSON object of ratios by name; an empty string means an empty object. */
const ratiosOf =
  (...checks: z.core.$ZodCheck<Ratios>[]) =>
  (section: OptionSection, label: string, initial: Ratios): OptionRow<Ratios> => ({
    section,
    control: 'ratios',
    label,
    initial,
    schema: z.pipe(
      z.pipe(z.string().check(maxCharacters(1_000_000)), z.transform(parseJson)),
      z
        .custom<Ratios>()
        .check(must('{label} must be a JSON object of names and non-negative numbers', isRatios), ...checks),
    ),
    format: (value) => JSON.stringify(value, undefined, 2),
    ...changedByAdmins,
  });

/** Model names are stored in text columns, and PostgreSQL rejects NUL and unpaired surrogates. */
export const modelRatios = ratiosOf(
  mustNotHave('{label}: {item} is not a valid model name', (value) => {
    const item = Object.keys(value).find((name) => !/^[^\0\p{Cs}]{0,300}$/u.test(name));
    return item === undefined ? undefined : { item: JSON.stringify(item.slice(0, 100)) };
  }),
);

/** Group names are joined by commas, so they cannot contain one. */
export const groupRatios = ratiosOf(
  mustNotHave('{label}: {item} is not a valid group name', (value) => {
    const item = Object.keys(value).find((name) => name !== name.trim() || !/^[^,\p{Cc}]{1,200}$/u.test(name));
    return item === undefined ? undefined : { item: JSON.stringify(item.slice(0, 100)) };
  }),
);

function parseJson(value: string, context: z.core.ParsePayload): unknown {
  try {
    // trusted JSON: an option of at most a million characters, set by an admin.
    return value.trim() === '' ? {} : JSON.parse(value);
  } catch {
    const message: OptionErrorMessage = '{label} is not a valid JSON string';
    context.issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  }
}

const largestRatio = 1e9;

function isRatios(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // Assigning this key would set the prototype of a copy.
  if (Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((ratio) => typeof ratio === 'number' && ratio >= 0 && ratio <= largestRatio);
}
