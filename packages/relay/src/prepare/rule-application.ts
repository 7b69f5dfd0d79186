import { costNeutralFields } from '@headgate/contract';
import { type JsonObject, type RequestOutline, RequestProblem } from '@headgate/dialects';
import type { UpstreamRequest as EncodedRequest } from '@headgate/providers';
import type { ChannelRules, RelayChannel } from '../ports/relay-channel.ts';
import { dialectFamily, endpointFamily } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { applyHeaderRules } from '../rules/apply-header-rules.ts';
import { type AppliedRules, applyRules } from '../rules/apply-rules.ts';
import { ruleNotAllowedError } from '../rules/rule-error.ts';
import type { UpstreamRequest } from '../upstream/upstream-exchange.ts';

type Headers = UpstreamRequest['headers'];

/** Signatures that cover the body. */
const signature = /^(?:AWS4|TC3)-HMAC-SHA256 /;

/** The rules of one channel for one request. */
export class RuleApplication {
  readonly #rules: ChannelRules;
  readonly #request: RelayRequest;
  readonly #channel: RelayChannel;
  readonly #allowed: readonly string[];
  /** Undefined before the rules were applied. */
  applied: AppliedRules | undefined;

  constructor(rules: ChannelRules, request: RelayRequest, channel: RelayChannel, allowed: readonly string[]) {
    this.#rules = rules;
    this.#request = request;
    this.#channel = channel;
    this.#allowed = allowed;
  }

  /** Undefined if the channel has no rules. `allowed`: fields without a price that rules may write. */
  static of(request: RelayRequest, channel: RelayChannel, allowed: readonly string[]): RuleApplication | undefined {
    return channel.rules && new RuleApplication(channel.rules, request, channel, allowed);
  }

  /** Fields that the rules change in a request of the client's own dialect; the fields of a form never change. */
  readonly changes = (body: JsonObject): JsonObject => {
    const ruled = this.#apply(body);
    if (ruled === body) return {};
    const changes = changedFields(body, ruled);
    if (!Object.keys(changes).every((name) => costNeutralFields.has(name))) this.#requireSameCost(body, ruled);
    return changes;
  };

  /** Applies the rules to a translated request. */
  encoded({ body = '{}', ...sent }: EncodedRequest): UpstreamRequest {
    // trusted JSON: written by the provider's adaptor.
    const given = JSON.parse(body) as JsonObject;
    const ruled = this.#apply(given);
    if (ruled !== given && isSigned(sent.headers)) throw ruleNotAllowedError('requests to this provider are signed');
    return { ...sent, headers: this.headers(sent.headers), body: ruled === given ? body : JSON.stringify(ruled) };
  }

  headers(headers: Headers): Headers {
    const { key } = this.#channel;
    return applyHeaderRules(headers, this.applied?.headers ?? [], { key, client: this.#request.headers });
  }

  #apply(body: JsonObject): JsonObject {
    const { kind, model, completionLimit: outputLimit } = this.#request;
    const applied = applyRules(
      this.#rules,
      {
        model,
        dialect: dialectFamily(kind),
        endpoint: endpointFamily(kind),
        outputLimit,
        allowed: this.#allowed,
        isFixedBody: kind.isForm,
      },
      body,
    );
    this.applied = applied;
    return applied.body;
  }

  /** The reservation was made for the request before the rules were applied. */
  #requireSameCost(before: JsonObject, after: JsonObject): void {
    const given = this.#outline(before);
    const ruled = this.#outline(after);
    if (given && (!ruled || costsMore(given, ruled))) throw ruleNotAllowedError('the request would cost more');
  }

  /** Undefined if the body is not valid in the client's dialect. */
  #outline(body: JsonObject): RequestOutline | undefined {
    const { kind, address } = this.#request;
    try {
      return kind.dialect.readOutline(body, kind.canStream ? address : { ...address, isStream: false });
    } catch (error) {
      if (error instanceof RequestProblem) return undefined;
      throw error;
    }
  }
}

function changedFields(body: JsonObject, ruled: JsonObject): JsonObject {
  const changes: Record<string, unknown> = {};
  for (const name of Object.keys(ruled)) if (body[name] !== ruled[name]) changes[name] = ruled[name];
  for (const name of Object.keys(body)) if (!Object.hasOwn(ruled, name)) changes[name] = undefined;
  return changes;
}

const isSigned = (headers: Headers): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'authorization' && signature.test(value));

function costsMore(given: RequestOutline, ruled: RequestOutline): boolean {
  const isNew = (name: 'mayGrowPrompt' | 'repeatsPrompt' | 'summarizesFirst' | 'hasTools') =>
    ruled[name] && !given[name];
  return (
    ruled.model !== given.model ||
    ruled.isStream !== given.isStream ||
    ruled.tries > given.tries ||
    (given.completionLimit !== undefined &&
      (ruled.completionLimit ?? Number.POSITIVE_INFINITY) > given.completionLimit) ||
    (['mayGrowPrompt', 'repeatsPrompt', 'summarizesFirst', 'hasTools'] as const).some(isNew) ||
    ruled.previousResponse?.id !== given.previousResponse?.id
  );
}
