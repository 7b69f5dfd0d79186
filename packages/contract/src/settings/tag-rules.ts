import * as z from 'zod/mini';
import { channelTagLength } from '../catalog/channel.ts';
import { type ChannelRule, checkChannelRules } from '../catalog/channel-rules.ts';
import { channelRuleLimits } from '../catalog/limits.ts';
import { isSecretHeaderValue } from '../catalog/rule-fields.ts';
import { jsonObjectIn } from '../wire/json-object.ts';
import type { OptionErrorMessage } from './option-messages.ts';
import type { OptionErrorValues, OptionRow, OptionSection } from './option-row.ts';

/** Channel rules by tag. */
export type TagRules = ReadonlyMap<string, readonly ChannelRule[]>;

interface Problem {
  readonly message: OptionErrorMessage;
  readonly values: OptionErrorValues;
}

const notTagRules: Problem = { message: '{label} must be a JSON object of tags and lists of rules', values: {} };

/** Reads the option with the rules of all tags; empty: none. */
export function readTagRules(text: string): { readonly rules: TagRules } | { readonly problem: Problem } {
  if (text.trim() === '') return { rules: new Map() };
  const given = jsonObjectIn(text);
  if (!given) return { problem: notTagRules };
  const rules = new Map<string, readonly ChannelRule[]>();
  for (const [tag, value] of Object.entries(given)) {
    const read = checkChannelRules(value);
    const problem = tagProblem(tag) ?? read.problem?.message ?? secretProblem(read.rules ?? []);
    if (problem !== undefined) {
      const item = [tag.slice(0, channelTagLength.max), read.problem?.place ?? ''].filter(Boolean).join(', ');
      return { problem: { message: '{label}: {item}: {problem}', values: { item, problem } } };
    }
    if (read.rules && read.rules.length > 0) rules.set(tag, read.rules);
  }
  return { rules };
}

const tagProblem = (tag: string): string | undefined =>
  tag === '' || tag !== tag.trim() || tag.length > channelTagLength.max ? 'The tag is invalid' : undefined;

/** Options are stored and shown as plain text. */
const secretProblem = (rules: readonly ChannelRule[]): string | undefined =>
  rules.some(({ then }) =>
    then.some((action) => action.do === 'set_header' && isSecretHeaderValue(action.header, action.value)),
  )
    ? 'Set headers with credentials in the rules of the channels'
    : undefined;

/** Rules by tag as JSON: an object that maps tags to lists of rules. */
export const serializeTagRules = (rules: TagRules): string =>
  rules.size === 0 ? '' : JSON.stringify(Object.fromEntries(rules));

/** Option with the rules of channel tags. */
export const tagRules = (section: OptionSection, label: string): OptionRow<string> => ({
  section,
  control: 'long-text',
  label,
  initial: '',
  schema: z.string().check(
    z.maxLength(channelRuleLimits.textLength, '{label} may have at most {max} characters'),
    z.check<string>(({ value, issues }) => {
      const read = readTagRules(value);
      if ('problem' in read)
        issues.push({ code: 'custom', message: read.problem.message, params: read.problem.values, input: value });
    }),
  ),
  format: (value) => value,
  help: 'JSON object of tags and lists of rules, applied before the rules of each channel. Edit them in Channels by tag.',
  changedBy: 'admin',
});
