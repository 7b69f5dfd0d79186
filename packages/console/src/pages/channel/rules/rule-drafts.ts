import { type ChannelRule, type ChannelRuleAction, type ChannelRuleCondition, channelRules } from '@headgate/contract';

type ActionKind = ChannelRuleAction['do'];
type ConditionKind = ChannelRuleCondition['is'];

/** A condition as entered in the form. */
export interface ConditionDraft {
  readonly is: ConditionKind;
  readonly path: string;
  /** JSON, or any other text as a string; a pattern for `matches`. */
  readonly value: string;
}

/** An action as entered in the form, with the inputs of every kind, so that changing the kind loses no input. */
export interface ActionDraft {
  readonly do: ActionKind;
  readonly path: string;
  readonly to: string;
  /** JSON, or any other text as a string. */
  readonly value: string;
  readonly header: string;
  readonly headerValue: string;
  readonly status: string;
  readonly retryable: boolean;
  readonly message: string;
}

/** A rule as entered in the form. */
export interface RuleDraft {
  /** Identifies the row; never sent. */
  readonly id: number;
  readonly name: string;
  readonly models: readonly string[];
  readonly dialects: readonly string[];
  readonly endpoints: readonly string[];
  readonly fields: readonly ConditionDraft[];
  readonly actions: readonly ActionDraft[];
}

export const newCondition: ConditionDraft = { is: 'exists', path: '', value: '' };

export const newAction: ActionDraft = {
  do: 'set',
  path: '',
  to: '',
  value: '',
  header: '',
  headerValue: '',
  status: '',
  retryable: true,
  message: '',
};

let ids = 0;
const nextId = (): number => {
  ids += 1;
  return ids;
};

export const newRule = (name: string): RuleDraft => ({
  id: nextId(),
  name,
  models: [],
  dialects: [],
  endpoints: [],
  fields: [],
  actions: [newAction],
});

/** Text for a JSON value: a string is unquoted unless it would then be parsed as other JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' && valueIn(value) === value ? value : JSON.stringify(value);
}

/** Value of a typed text: JSON, or the text itself. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Opens stored rules, which are valid. */
export function draftsOf(text: string): readonly RuleDraft[] {
  const parsed = channelRules.safeParse(text.trim() === '' ? [] : valueIn(text));
  return (parsed.data ?? []).map(({ name, when, then }) => ({
    id: nextId(),
    name,
    models: when.models,
    dialects: when.dialects,
    endpoints: when.endpoints,
    fields: when.fields.map((field) => ({ is: field.is, path: field.path, value: conditionText(field) })),
    actions: then.map(actionDraft),
  }));
}

const conditionText = (field: ChannelRuleCondition): string =>
  field.is === 'equals' ? textOf(field.value) : field.is === 'matches' ? field.pattern : '';

function actionDraft(action: ChannelRuleAction): ActionDraft {
  const kept = { ...newAction, do: action.do };
  if (action.do === 'set' || action.do === 'default')
    return { ...kept, path: action.path, value: textOf(action.value) };
  if (action.do === 'remove') return { ...kept, path: action.path };
  if (action.do === 'rename') return { ...kept, path: action.path, to: action.to };
  if (action.do === 'set_header') return { ...kept, header: action.header, headerValue: action.value };
  if (action.do === 'status') return { ...kept, status: String(action.status), retryable: action.retryable };
  if (action.do === 'reject') return { ...kept, message: action.message };
  return { ...kept, header: action.header };
}

/** Rules as JSON for the server, including invalid ones; empty without rules. */
export function serializeDrafts(drafts: readonly RuleDraft[]): string {
  return drafts.length === 0 ? '' : JSON.stringify(drafts.map(ruleOf));
}

function ruleOf({ name, models, dialects, endpoints, fields, actions }: RuleDraft): unknown {
  const when = { models, dialects, endpoints, fields: fields.map(conditionOf) };
  // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
  return { name: name.trim(), when, then: actions.map(actionOf) };
}

function conditionOf({ is, path, value }: ConditionDraft): unknown {
  if (is === 'equals') return { is, path, value: valueIn(value) };
  return is === 'matches' ? { is, path, pattern: value } : { is, path };
}

function actionOf(draft: ActionDraft): unknown {
  const { do: kind, path, to, value, header, headerValue, status, retryable, message } = draft;
  switch (kind) {
    case 'set':
    case 'default':
      return { do: kind, path, value: valueIn(value) };
    case 'remove':
      return { do: kind, path };
    case 'rename':
      return { do: kind, path, to };
    case 'set_header':
      return { do: kind, header: header.trim().toLowerCase(), value: headerValue };
    case 'status':
      return { do: kind, status: Number(status), retryable };
    case 'reject':
      return { do: kind, message };
    default:
      return { do: kind, header: header.trim().toLowerCase() };
  }
}

/** Normalized form of stored rules, for comparison with drafts. */
export const normalizeRulesText = (text: string): string => serializeDrafts(draftsOf(text));

/** The first error at each position, such as `0.then.1.path`. */
export function ruleErrors(text: string): ReadonlyMap<string, string> {
  const parsed = channelRules.safeParse(text === '' ? [] : valueIn(text));
  const found = new Map<string, string>();
  for (const { path, message } of parsed.error?.issues ?? []) {
    const place = path.join('.');
    if (!found.has(place)) found.set(place, message);
  }
  return found;
}

/** A rule that can be summarized; undefined while it is incomplete. */
export const parseDraft = (draft: RuleDraft): ChannelRule | undefined =>
  channelRules.safeParse([ruleOf(draft)]).data?.[0];

/** The list with one entry moved by `steps`; the same list if the entry is already at the end. */
export function moveEntry<T>(list: readonly T[], at: number, steps: number): readonly T[] {
  const entry = list[at];
  const target = at + steps;
  if (entry === undefined || target < 0 || target >= list.length) return list;
  return list.toSpliced(at, 1).toSpliced(target, 0, entry);
}
