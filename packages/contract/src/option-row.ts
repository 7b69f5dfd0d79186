import * as z from 'zod/mini';
import { withoutTrailingSlash } from './address.ts';

export const optionTabs = {
  operation: 'Operation settings',
  system: 'System settings',
  other: 'Other settings',
} as const;
export type OptionTab = keyof typeof optionTabs;

export const optionSections = {
  general: { tab: 'system', label: 'General' },
  login: { tab: 'system', label: 'Login and registration' },
  whitelist: { tab: 'system', label: 'Email domain whitelist' },
  smtp: { tab: 'system', label: 'SMTP' },
  github: { tab: 'system', label: 'GitHub OAuth app' },
  lark: { tab: 'system', label: 'Lark login' },
  wechat: { tab: 'system', label: 'WeChat server' },
  pusher: { tab: 'system', label: 'Message pusher' },
  turnstile: { tab: 'system', label: 'Bot check' },
  operation: { tab: 'operation', label: 'General' },
  log: { tab: 'operation', label: 'Logs' },
  monitor: { tab: 'operation', label: 'Monitoring' },
  quota: { tab: 'operation', label: 'Quota' },
  ratios: { tab: 'operation', label: 'Ratios' },
  personal: { tab: 'other', label: 'Personalization' },
  content: { tab: 'other', label: 'Content' },
} as const satisfies Record<string, { tab: OptionTab; label: string }>;
export type OptionSection = keyof typeof optionSections;

export type OptionControl =
  | 'toggle'
  | 'integer'
  | 'number'
  | 'text'
  | 'address'
  | 'long-text'
  | 'ratios'
  | 'secret'
  | 'choice'
  | 'list';

export type Ratios = Readonly<Record<string, number>>;

/** One option. It travels and is stored as text; `schema` reads that text, `format` writes it. */
export interface OptionRow<T = unknown> {
  readonly section: OptionSection;
  readonly control: OptionControl;
  readonly label: string;
  readonly initial: T;
  readonly schema: z.ZodMiniType<T, string>;
  format(value: T): string;
  /** Shown in the empty field. */
  readonly hint?: string;
  /** Said under the field. */
  readonly help?: string;
  readonly step?: number;
  readonly choices?: readonly string[];
  /** Keys that must be filled before this switch may be turned on. */
  readonly needs?: readonly string[];
}

type Extras = Pick<OptionRow, 'hint' | 'help' | 'step' | 'needs'>;

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
    z.enum(['true', 'false']),
    z.transform((text) => text === 'true'),
  ),
  format: String,
  ...extras,
});

const number =
  (control: 'integer' | 'number', schema: z.ZodMiniType<number, number>) =>
  (section: OptionSection, label: string, initial: number, extras: Extras = {}): OptionRow<number> => ({
    section,
    control,
    label,
    initial,
    schema: z.pipe(
      z.pipe(z.string().check(z.regex(/^\s*-?\d+(\.\d+)?\s*$/, 'must be a number')), z.transform(Number)),
      schema,
    ),
    format: String,
    ...extras,
  });

export const integer = number('integer', z.int().check(z.minimum(0)));
export const positiveNumber = number('number', z.number().check(z.positive(), z.maximum(1e15)));
export const seconds = number('number', z.number().check(z.minimum(0), z.maximum(86_400)));
export const port = number('integer', z.int().check(z.minimum(1), z.maximum(65_535)));

const stringOption =
  (control: OptionControl, schema: z.ZodMiniType<string, string>) =>
  (section: OptionSection, label: string, extras: Extras & { initial?: string } = {}): OptionRow<string> => {
    const { initial = '', ...rest } = extras;
    return { section, control, label, initial, schema, format: own, ...rest };
  };

export const text = stringOption('text', z.string().check(z.trim(), z.maxLength(1000)));
export const longText = stringOption('long-text', z.string().check(z.maxLength(200_000)));

/** Never read back: the server says only whether one is stored. */
export const secret = stringOption('secret', z.string().check(z.trim(), z.maxLength(4000)));

const httpAddress = z.string().check(
  z.trim(),
  z.maxLength(2000),
  z.overwrite(withoutTrailingSlash),
  z.refine((value) => value === '' || /^https?:\/\/[^\s/]/i.test(value), 'must start with http:// or https://'),
);

export const address = stringOption('address', httpAddress);

export const choice = (
  section: OptionSection,
  label: string,
  choices: readonly [string, ...string[]],
): OptionRow<string> => ({
  section,
  control: 'choice',
  label,
  initial: choices[0],
  schema: z.enum(choices),
  format: own,
  choices,
});

export const list = (
  section: OptionSection,
  label: string,
  initial: readonly string[],
  item: z.ZodMiniType<string, string>,
): OptionRow<readonly string[]> => ({
  section,
  control: 'list',
  label,
  initial,
  schema: z.pipe(
    z.pipe(z.string(), z.transform(splitList)),
    z.pipe(
      z.array(item).check(z.maxLength(1000)),
      z.transform((items) => [...new Set(items)]),
    ),
  ),
  format: (value) => value.join(','),
});

/** A JSON object from names to multipliers; an emptied box means an empty object. */
export const ratios = (section: OptionSection, label: string, initial: Ratios): OptionRow<Ratios> => ({
  section,
  control: 'ratios',
  label,
  initial,
  schema: z.pipe(
    z.pipe(z.string().check(z.maxLength(1_000_000)), z.transform(parseObject(label))),
    z.record(z.string(), z.number().check(z.minimum(0), z.maximum(1e9)), {
      error: `${label} must be a JSON object of names and numbers that are not negative`,
    }),
  ),
  format: (value) => JSON.stringify(value, undefined, 2),
});

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const parseObject =
  (label: string) =>
  (text: string, context: z.core.ParsePayload): unknown => {
    try {
      return text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: `${label} is not a valid JSON string`, input: text });
      return z.NEVER;
    }
  };
