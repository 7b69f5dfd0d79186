import type { LimitCounting, LimitMeasure } from '@headgate/contract';

/** A rule as it is stored; an id of 0 and an empty text stand for any. */
export interface StoredRule {
  readonly id: number;
  readonly token_id: number;
  readonly user_id: number;
  readonly group: string;
  readonly model: string;
  readonly channel_id: number;
  readonly measure: LimitMeasure;
  readonly amount: number;
  readonly counts_per: LimitCounting;
}

/** A rule, ready to be asked whether it is about a request. */
export interface Rule extends StoredRule {
  readonly matchesModel: (model: string) => boolean;
}

/** What a request is, to a rule. */
export interface LimitedRequest {
  readonly tokenId: number;
  readonly userId: number;
  readonly group: string;
  readonly model: string;
  readonly channels: readonly { readonly id: number }[];
}

interface ApplyingRules {
  /** Of whoever asks. */
  readonly ofCaller: readonly Rule[];
  /** Of channels that may be asked. */
  readonly ofChannels: readonly Rule[];
}

/** The rules in memory, each under the narrowest that it names: a request is compared only with those it may concern. */
export class LimitTable {
  readonly #read: () => Promise<readonly StoredRule[]>;
  #byToken: ReadonlyMap<number, readonly Rule[]> = new Map();
  #byUser: ReadonlyMap<number, readonly Rule[]> = new Map();
  #byGroup: ReadonlyMap<string, readonly Rule[]> = new Map();
  #byModel: ReadonlyMap<string, readonly Rule[]> = new Map();
  #others: readonly Rule[] = [];
  #readings = 0;
  #shown = 0;
  isEmpty = true;

  constructor(read: () => Promise<readonly StoredRule[]>) {
    this.#read = read;
  }

  /** What was read before something that is shown already would bring back what has been changed. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const rows = await this.#read();
    if (reading < this.#shown) return;
    this.#shown = reading;
    const rules = rows.map(ruleOfRow);
    const isOfToken = ({ token_id }: Rule) => token_id !== 0;
    const isOfUser = (rule: Rule) => !isOfToken(rule) && rule.user_id !== 0;
    const isOfGroup = (rule: Rule) => !isOfToken(rule) && !isOfUser(rule) && rule.group !== '';
    const isOfAny = (rule: Rule) => !isOfToken(rule) && !isOfUser(rule) && !isOfGroup(rule);
    const isOfModel = (rule: Rule) => isOfAny(rule) && rule.model !== '' && !rule.model.includes('*');
    this.#byToken = Map.groupBy(rules.filter(isOfToken), ({ token_id }) => token_id);
    this.#byUser = Map.groupBy(rules.filter(isOfUser), ({ user_id }) => user_id);
    this.#byGroup = Map.groupBy(rules.filter(isOfGroup), ({ group }) => group);
    this.#byModel = Map.groupBy(rules.filter(isOfModel), ({ model }) => model);
    this.#others = rules.filter((rule) => isOfAny(rule) && !isOfModel(rule));
    this.isEmpty = rules.length === 0;
  }

  /** Undefined when none is about it. */
  rulesFor(request: LimitedRequest): ApplyingRules | undefined {
    const found: FoundRules = {};
    add(found, this.#byToken.get(request.tokenId), request);
    add(found, this.#byUser.get(request.userId), request);
    add(found, this.#byGroup.get(request.group), request);
    add(found, this.#byModel.get(request.model), request);
    add(found, this.#others, request);
    const { ofCaller = none, ofChannels = none } = found;
    return ofCaller.length + ofChannels.length > 0 ? { ofCaller, ofChannels } : undefined;
  }
}

const none: readonly Rule[] = [];

interface FoundRules {
  ofCaller?: Rule[];
  ofChannels?: Rule[];
}

function add(found: FoundRules, rules: readonly Rule[] | undefined, request: LimitedRequest): void {
  if (!rules) return;
  for (const rule of rules) {
    if (!isAbout(rule, request)) continue;
    const list = rule.channel_id === 0 ? 'ofCaller' : 'ofChannels';
    found[list] ??= [];
    found[list].push(rule);
  }
}

const isAbout = (rule: Rule, { tokenId, userId, group, model, channels }: LimitedRequest): boolean =>
  (rule.token_id === 0 || rule.token_id === tokenId) &&
  (rule.user_id === 0 || rule.user_id === userId) &&
  (rule.group === '' || rule.group === group) &&
  (rule.channel_id === 0 || channels.some(({ id }) => id === rule.channel_id)) &&
  rule.matchesModel(model);

function ruleOfRow(row: StoredRule): Rule {
  const { id, token_id, user_id, group, model, channel_id, measure, amount, counts_per } = row;
  return {
    ...{ id, token_id, user_id, group, model, channel_id, measure, amount, counts_per },
    matchesModel: modelMatcher(model),
  };
}

/** `*` stands for anything; nothing else does. Without going back: no pattern takes long on any name. */
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
