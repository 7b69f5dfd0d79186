import {
  type ChannelRule,
  type ChannelRuleAction,
  type ChannelRuleCondition,
  channelRuleAction,
  channelRuleCondition,
  channelRuleLimits,
  channelRules,
  proxyUrlOf,
  readProxyUrl,
} from '@headgate/contract';
import { isObject, parseJson } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { readJsonObject, readText, truncate } from '../source/source-values.ts';

/** Conditions and actions of a rule without a name. */
interface RulePart {
  readonly models?: readonly string[];
  readonly fields?: readonly ChannelRuleCondition[];
  readonly actions: readonly ChannelRuleAction[];
}

/** Adds a sentence about something that is not imported. */
type Report = (loss: string) => void;

/** new-api's overrides and status mapping as channel rules; empty if there are none. Losses are added to `changes`. */
export function convertOverrides(row: SourceRow, changes: string[]): string {
  const report: Report = (loss) => changes.push(loss);
  const rules = [
    ...named('Parameter override', parameterOverride(row, report)),
    ...named('Header override', headerOverride(row, report)),
    ...named('Status code mapping', statusMapping(row, report)),
  ];
  if (rules.length === 0) return '';
  const checked = channelRules.safeParse(rules);
  if (checked.success) return JSON.stringify(checked.data);
  report(`loses its overrides: ${checked.error.issues[0]?.message ?? 'they are not supported here'}`);
  return '';
}

/** Outbound proxy for the channel's config. */
export function convertProxy(row: SourceRow, changes: string[]): Readonly<Record<string, string>> {
  const { proxy: text } = readJsonObject(row, 'setting') ?? {};
  if (typeof text !== 'string' || text.trim() === '') return {};
  const proxy = readProxyUrl(text.trim());
  if (!proxy) {
    changes.push('loses its proxy, whose URL is not supported here');
    return {};
  }
  return { proxy: proxyUrlOf(proxy), ...(proxy.password !== '' && { proxy_password: proxy.password }) };
}

/** Adjacent parts with the same conditions become one rule, as far as its actions allow. */
function named(name: string, parts: readonly RulePart[]): readonly ChannelRule[] {
  const joined: { models: readonly string[]; fields: readonly ChannelRuleCondition[]; actions: ChannelRuleAction[] }[] =
    [];
  for (const { models = [], fields = [], actions } of parts) {
    const last = joined.at(-1);
    const isSame = last && JSON.stringify([last.models, last.fields]) === JSON.stringify([models, fields]);
    if (isSame && last.actions.length + actions.length <= channelRuleLimits.actions) last.actions.push(...actions);
    else joined.push({ models, fields, actions: [...actions] });
  }
  return joined.map(({ models, fields, actions }, at) => ({
    name: joined.length > 1 ? `${name} ${at + 1}` : name,
    when: { models: [...models], dialects: [], endpoints: [], fields: [...fields] },
    // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
    then: actions,
  }));
}

/** Undefined if the column is blank or invalid. */
function overrideIn(
  row: SourceRow,
  column: string,
  name: string,
  report: Report,
): Readonly<Record<string, unknown>> | undefined {
  const text = readText(row, column).trim();
  if (['', '{}', '[]', 'null'].includes(text)) return undefined;
  const parsed = parseJson(text);
  if (isObject(parsed)) return parsed;
  report(`loses its ${name}, which is not a JSON object`);
  return undefined;
}

const quoted = (text: string): string => JSON.stringify(truncate(text, 60));

const problemOf = (issues: readonly { readonly message: string }[]): string =>
  issues[0]?.message ?? 'it is not supported here';

/** An action that is valid here; otherwise the loss is reported. */
function checkedAction(action: object, what: string, report: Report): readonly ChannelRuleAction[] {
  const checked = channelRuleAction.safeParse(action);
  if (checked.success) return [checked.data];
  report(`loses ${what}: ${problemOf(checked.error.issues)}`);
  return [];
}

function parameterOverride(row: SourceRow, report: Report): readonly RulePart[] {
  const override = overrideIn(row, 'param_override', 'parameter override', report);
  if (!override) return [];
  const { operations, ...rest } = override;
  const plain = Object.entries(rest).flatMap(([name, value]) => {
    const what = `the parameter override of ${quoted(name)}`;
    if (!isPlainPath(name) || name.includes('.')) {
      report(`loses ${what}, which is not supported here`);
      return [];
    }
    return checkedAction({ do: 'set', path: name, value }, what, report);
  });
  // The source applies operations first.
  const parts = Array.isArray(operations) ? operations.flatMap((one, at) => operationParts(one, at + 1, report)) : [];
  if (operations !== undefined && !Array.isArray(operations))
    report('loses the operations of its parameter override, which are not a list');
  return [...parts, ...eachAlone(plain)];
}

/** False for query syntax of the source, such as `tools.#.name` or `-1`. */
const isPlainPath = (path: string): boolean => path !== '' && !/[\\#|@*?]|(?:^|\.)-\d/.test(path);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function operationParts(operation: unknown, number: number, report: Report): readonly RulePart[] {
  const fields = isObject(operation) ? operation : {};
  const mode = text(fields['mode']);
  const what = `operation ${number} (${truncate(mode, 30) || 'without a mode'}) of its parameter override`;
  const action = operationAction(mode, fields);
  const when = action && conditionsOf(fields);
  if (!action || !when) {
    report(`loses ${what}, ${action ? 'whose conditions are' : 'which is'} not supported here`);
    return [];
  }
  const actions = action.flatMap((one) => checkedAction(one, what, report));
  return actions.length === 0 ? [] : when.map((condition) => ({ ...condition, actions }));
}

type Fields = Readonly<Record<string, unknown>>;

/** Actions of an operation; undefined: not supported. */
const operationAction = (mode: string, fields: Fields): readonly object[] | undefined =>
  Object.hasOwn(operations, mode) ? operations[mode]?.(fields) : undefined;

const operations: Readonly<Record<string, (fields: Fields) => readonly object[] | undefined>> = {
  set: ({ path, value, keep_origin }) =>
    isPlainPath(text(path)) ? [{ do: keep_origin === true ? 'default' : 'set', path, value }] : undefined,
  delete: ({ path }) => (isPlainPath(text(path)) ? [{ do: 'remove', path }] : undefined),
  move: ({ path, from, to }) => {
    const source = text(from) || text(path);
    return isPlainPath(source) && isPlainPath(text(to)) ? [{ do: 'rename', path: source, to }] : undefined;
  },
  set_header: ({ path, value, keep_origin }) =>
    keep_origin === true ? undefined : [{ do: 'set_header', header: text(path), value: headerText(value) }],
  delete_header: ({ path }) => [{ do: 'remove_header', header: text(path) }],
  pass_headers: ({ value }) => namesIn(value)?.map((header) => ({ do: 'pass_header', header })),
  return_error: ({ value }) => [{ do: 'reject', message: isObject(value) ? text(value['message']) : text(value) }],
};

/** Names in a list or separated by commas. */
function namesIn(value: unknown): readonly string[] | undefined {
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
  return Array.isArray(names) && names.every((name) => typeof name === 'string' && name !== '') ? names : undefined;
}

type When = Omit<RulePart, 'actions'>;

/** One entry per alternative; undefined: not supported. The source's default is that one condition suffices. */
function conditionsOf({ conditions, logic }: Readonly<Record<string, unknown>>): readonly When[] | undefined {
  if (conditions === undefined || conditions === null) return [{}];
  if (!Array.isArray(conditions)) return undefined;
  if (conditions.length === 0) return [{}];
  const read = conditions.map(conditionOf);
  const known = read.filter((one) => one !== undefined);
  if (known.length < read.length) return undefined;
  if (text(logic).toUpperCase() !== 'AND') return known;
  const models = known.flatMap((one) => one.models ?? []);
  // The models of a rule are alternatives.
  if (models.length > 1) return undefined;
  return [{ models, fields: known.flatMap((one) => one.fields ?? []) }];
}

/** Values of the source's own context that are not request fields. */
const contextPaths =
  /^(?:retry|retry_index|is_retry|last_error|request_headers?|header_override|request_path|channel)\b/;

function conditionOf(condition: unknown): When | undefined {
  if (!isObject(condition) || condition['invert'] === true || condition['pass_missing_key'] === true) return undefined;
  const { mode, value } = condition;
  const path = text(condition['path']);
  if (!isPlainPath(path) || contextPaths.test(path)) return undefined;
  const pattern = patternOf(text(mode), value);
  if (path === 'original_model') return pattern === undefined ? undefined : { models: [pattern] };
  const place = path === 'upstream_model' ? 'model' : path;
  const wanted = mode === 'full' ? { is: 'equals', path: place, value } : { is: 'matches', path: place, pattern };
  const checked = channelRuleCondition.safeParse(wanted);
  return checked.success ? { fields: [checked.data] } : undefined;
}

function patternOf(mode: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('*')) return undefined;
  return { full: value, prefix: `${value}*`, suffix: `*${value}`, contains: `*${value}*` }[mode];
}

const clientHeader = /^\{client_header:([^}]+)\}$/;

const headerText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(value);

function headerOverride(row: SourceRow, report: Report): readonly RulePart[] {
  const override = overrideIn(row, 'header_override', 'header override', report) ?? {};
  const actions = Object.entries(override).flatMap(([name, value]) => {
    const what = `the header override of ${quoted(name)}`;
    const given = headerText(value);
    const passed = clientHeader.exec(given)?.[1]?.trim().toLowerCase();
    // A header that is passed on cannot be renamed.
    const isUnsupported =
      passed === undefined ? given.includes('{client_header:') : passed !== name.trim().toLowerCase();
    if (isUnsupported) {
      report(`loses ${what}, which is not supported here`);
      return [];
    }
    const header = name.trim();
    return checkedAction(
      passed === undefined ? { do: 'set_header', header, value: given } : { do: 'pass_header', header },
      what,
      report,
    );
  });
  return eachAlone(actions);
}

/** Statuses that the source does not retry. */
const finalStatuses: ReadonlySet<number> = new Set([400, 408, 504, 524]);

function statusMapping(row: SourceRow, report: Report): readonly RulePart[] {
  const mapping = overrideIn(row, 'status_code_mapping', 'status code mapping', report) ?? {};
  const actions = Object.entries(mapping).flatMap(([from, to]) => {
    const target = Number(headerText(to));
    const what = `the mapping of status ${quoted(from)}`;
    if (!Number.isInteger(target) || target < 100 || target > 599) {
      report(`loses ${what}, which is not a status`);
      return [];
    }
    const retryable = target >= 300 && !finalStatuses.has(target);
    return checkedAction({ do: 'status', status: Number(from), retryable }, what, report);
  });
  if (actions.length > 0) report('uses its status code mapping for retries only; clients get the original status');
  return eachAlone(actions);
}

/** Longest prefix of the parts that `named` joins within the limit. */
const eachAlone = (actions: readonly ChannelRuleAction[]): readonly RulePart[] =>
  actions.map((action) => ({ actions: [action] }));
