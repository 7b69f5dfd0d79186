import { type ChannelRule, isSecretHeaderValue, mapActions, readChannelRules } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { z } from 'zod';

type Action = ChannelRule['then'][number];
type HeaderAction = Extract<Action, { readonly do: 'set_header' }>;

/** An action that sets a header to a credential. */
export const isSecretAction = (action: Action): action is HeaderAction =>
  action.do === 'set_header' && isSecretHeaderValue(action.header, action.value);

/** Rules for API responses: credentials are blank. */
export function blankRuleSecrets(text: string): string {
  const { rules = [] } = readChannelRules(text);
  if (rules.length === 0) return '';
  const blanked = rules.map((rule) =>
    mapActions(rule, (action: Action) => (isSecretAction(action) ? { ...action, value: '' } : action)),
  );
  return JSON.stringify(blanked);
}

/** Credentials in rules, for comparison. */
export const serializeRuleSecrets = (text: string): string =>
  (readChannelRules(text).rules ?? [])
    .flatMap(({ then }) => then.filter(isSecretAction).map(({ value }) => value))
    .join('\n');

const blankAction = z.looseObject({ do: z.literal('set_header'), header: z.string(), value: z.literal('') });
// biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
const givenRules = z.array(z.looseObject({ name: z.string(), then: z.array(z.unknown()) }));

/**
 * The given rules, with stored credentials filled in where they are blank: clients send back the blanks of
 * `blankRuleSecrets`. A credential is matched by its header and the name of its rule, or by its header alone if only
 * one is stored.
 */
export function restoreRuleSecrets(text: string, stored: string): string {
  const given = givenRules.safeParse(parseJson(text));
  if (!given.success) return text;
  const known = secretsOf(stored);
  const restored = given.data.map((rule) =>
    mapActions(rule, (action: unknown) => {
      const blank = blankAction.safeParse(action);
      return blank.success
        ? { ...blank.data, value: known(rule.name.trim(), blank.data.header.toLowerCase()) }
        : action;
    }),
  );
  return JSON.stringify(restored);
}

/** Finds a stored credential; empty if there is none or if several differ. */
function secretsOf(stored: string): (rule: string, header: string) => string {
  const { rules = [] } = readChannelRules(stored);
  const all = rules.flatMap((rule) =>
    rule.then.filter(isSecretAction).map((action) => ({ ...action, rule: rule.name })),
  );
  return (rule, header) => {
    const ofHeader = all.filter((one) => one.header === header);
    const ofRule = ofHeader.filter((one) => one.rule === rule);
    const values = new Set((ofRule.length > 0 ? ofRule : ofHeader).map(({ value }) => value));
    return values.size === 1 ? ([...values][0] ?? '') : '';
  };
}
