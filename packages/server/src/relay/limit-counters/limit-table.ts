import { anyValueOf, formatTag } from '@headgate/contract';
import type { LimitRuleFields } from '../../catalog/limit-rules/limit-text.ts';

/** A stored limit rule. */
export interface StoredLimitRule extends LimitRuleFields {
  readonly id: number;
}

/** A rule prepared for matching. */
export interface LimitRule extends StoredLimitRule {
  readonly matchesModel: (model: string) => boolean;
}

/** The properties of a request that rules match. */
export interface LimitedRequest {
  readonly tokenId: number;
  readonly userId: number;
  readonly group: string;
  readonly model: string;
  readonly channels: readonly { readonly id: number }[];
  readonly tags: ReadonlyMap<string, string> | undefined;
}

interface ApplyingRules {
  /** Rules for the caller. */
  readonly ofCaller: readonly LimitRule[];
  /** Rules for eligible channels. */
  readonly ofChannels: readonly LimitRule[];
}

/** Rules with the same owner: rules for one exact model by its name, the others as a list. */
interface RulesByModel {
  readonly named: ReadonlyMap<string, readonly LimitRule[]>;
  readonly others: readonly LimitRule[];
}

const isNamed = ({ model }: LimitRule): boolean => model !== '' && !model.includes('*');

const byModel = (rules: readonly LimitRule[]): RulesByModel => ({
  named: Map.groupBy(rules.filter(isNamed), ({ model }) => model),
  others: rules.filter((rule) => !isNamed(rule)),
});

/** Index that contains a rule, chosen by the most specific property that the rule names. */
const indexOfRule = ({
  token_id,
  user_id,
  channel_id,
  group,
  tag,
}: LimitRule): 'token' | 'user' | 'tag' | 'channel' | 'group' | 'any' => {
  if (token_id !== 0) return 'token';
  if (user_id !== 0) return 'user';
  if (tag !== '') return 'tag';
  if (channel_id !== 0) return 'channel';
  return group === '' ? 'any' : 'group';
};

/**
 * Rules in memory, indexed by the most specific property that they name, so that a request is compared only with
 * relevant rules.
 */
export class LimitTable {
  readonly #read: () => Promise<readonly StoredLimitRule[]>;
  #byToken: ReadonlyMap<number, readonly LimitRule[]> = new Map();
  #byUser: ReadonlyMap<number, readonly LimitRule[]> = new Map();
  #byTag: ReadonlyMap<string, readonly LimitRule[]> = new Map();
  #byChannel: ReadonlyMap<number, readonly LimitRule[]> = new Map();
  #byGroup: ReadonlyMap<string, RulesByModel> = new Map();
  #ofAny: RulesByModel = byModel([]);
  #readings = 0;
  #shown = 0;
  isEmpty = true;
  /** Number of rules compared for the last request. */
  compared = 0;

  constructor(read: () => Promise<readonly StoredLimitRule[]>) {
    this.#read = read;
  }

  /** Discards reads older than the loaded state, which would undo a change. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const rows = await this.#read();
    if (reading < this.#shown) return;
    this.#shown = reading;
    const byIndex = Map.groupBy(rows.map(ruleOfRow), indexOfRule);
    this.#byToken = Map.groupBy(byIndex.get('token') ?? [], ({ token_id }) => token_id);
    this.#byUser = Map.groupBy(byIndex.get('user') ?? [], ({ user_id }) => user_id);
    this.#byTag = Map.groupBy(byIndex.get('tag') ?? [], ({ tag }) => tag);
    this.#byChannel = Map.groupBy(byIndex.get('channel') ?? [], ({ channel_id }) => channel_id);
    const groups = Map.groupBy(byIndex.get('group') ?? [], ({ group }) => group);
    this.#byGroup = new Map([...groups].map(([group, rules]) => [group, byModel(rules)]));
    this.#ofAny = byModel(byIndex.get('any') ?? []);
    this.isEmpty = rows.length === 0;
  }

  /** Undefined if no rule matches. */
  rulesFor(request: LimitedRequest): ApplyingRules | undefined {
    const { tokenId, userId, group, model, channels, tags } = request;
    const found: FoundRules = { compared: 0 };
    const ofGroup = this.#byGroup.get(group);
    add(found, this.#byToken.get(tokenId), request);
    add(found, this.#byUser.get(userId), request);
    if (this.#byTag.size > 0)
      for (const condition of conditionsOf(tags)) add(found, this.#byTag.get(condition), request);
    add(found, ofGroup?.named.get(model), request);
    add(found, ofGroup?.others, request);
    add(found, this.#ofAny.named.get(model), request);
    add(found, this.#ofAny.others, request);
    if (this.#byChannel.size > 0) for (const { id } of channels) add(found, this.#byChannel.get(id), request);
    const { ofCaller = none, ofChannels = none } = found;
    this.compared = found.compared;
    return ofCaller.length + ofChannels.length > 0 ? { ofCaller, ofChannels } : undefined;
  }
}

const none: readonly LimitRule[] = [];

interface FoundRules {
  compared: number;
  ofCaller?: LimitRule[];
  ofChannels?: LimitRule[];
}

function add(found: FoundRules, rules: readonly LimitRule[] | undefined, request: LimitedRequest): void {
  if (!rules) return;
  found.compared += rules.length;
  for (const rule of rules) {
    if (!appliesTo(rule, request)) continue;
    const list = rule.channel_id === 0 ? 'ofCaller' : 'ofChannels';
    found[list] ??= [];
    found[list].push(rule);
  }
}

/** All conditions that match a tag of the request. */
const conditionsOf = (tags: LimitedRequest['tags']): readonly string[] =>
  tags ? [...tags].flatMap(([key, value]) => [formatTag([key, value]), anyValueOf(key)]) : [];

const appliesTo = (rule: LimitRule, { tokenId, userId, group, model, channels, tags }: LimitedRequest): boolean =>
  (rule.token_id === 0 || rule.token_id === tokenId) &&
  (rule.user_id === 0 || rule.user_id === userId) &&
  (rule.group === '' || rule.group === group) &&
  (rule.tag === '' || conditionsOf(tags).includes(rule.tag)) &&
  (rule.channel_id === 0 || channels.some(({ id }) => id === rule.channel_id)) &&
  rule.matchesModel(model);

function ruleOfRow(row: StoredLimitRule): LimitRule {
  const { id, token_id, user_id, group, model, channel_id, tag, measure, amount, counts_per } = row;
  return {
    ...{ id, token_id, user_id, group, model, channel_id, tag, measure, amount, counts_per },
    matchesModel: modelMatcher(model),
  };
}

/** `*` is the only wildcard. Matches without backtracking, so that every pattern is fast. */
export function modelMatcher(pattern: string): (model: string) => boolean {
  if (pattern === '') return () => true;
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) return (model) => model === pattern;
  return (model) => {
    if (!model.startsWith(start) || model.length < start.length + end.length || !model.endsWith(end)) return false;
    const last = model.length - end.length;
    let at = start.length;
    for (const part of parts) {
      const found = model.indexOf(part, at);
      if (found < 0 || found + part.length > last) return false;
      at = found + part.length;
    }
    return true;
  };
}
