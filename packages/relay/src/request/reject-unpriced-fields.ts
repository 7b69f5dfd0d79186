import { isServiceTier } from '@headgate/contract';
import {
  asyncResponseFields,
  extraBodyField,
  type JsonObject,
  serverToolsField,
  serviceTierField,
  unpricedFields,
} from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import { lookUpRatio } from '../quota/built-in-ratio-tables.ts';
import type { SavedRatios } from '../quota/price.ts';
import { checkedFieldFor, isOtherModelField } from './checked-fields.ts';
import type { RelayRequest } from './read-request.ts';

/** Rejects a field whose cost cannot be charged, unless an admin has allowed it. Service tiers may have a price. */
export function rejectUnpricedFields(request: RelayRequest, allowed: readonly string[], ratios?: TierRatios): void {
  const { body, form } = request;
  for (const name of Object.keys(body)) {
    // JSON fields have one spelling; form fields may have brackets and any case.
    const field = form ? (checkedFieldFor(name.split('[', 1)[0] ?? '') ?? name) : name;
    rejectDeferring(name, field, body[name]);
    if (isPriced(request, field, body[name]) || isPricedTierField(request, field, ratios)) continue;
    if (!allowed.includes(field)) throw unpriced(name);
    if (field === extraBodyField) checkPacked(body[name], allowed, name);
  }
  rejectServerTools(request, allowed);
  rejectStoredFile(request, allowed);
}

const isPricedTierField = (request: RelayRequest, field: string, ratios: TierRatios | undefined): boolean =>
  field === serviceTierField && ratios !== undefined && isPricedTier(request, request.body[field], ratios);

type TierRatios = Pick<SavedRatios, 'FlexRatio' | 'PriorityRatio'>;
const tierOptions = { flex: 'FlexRatio', priority: 'PriorityRatio' } as const;

/** True if the model has a price for a service tier. */
const isPricedTier = ({ model, pricedModel }: TieredRequest, tier: unknown, ratios: TierRatios): boolean =>
  isServiceTier(tier) && lookUpRatio(pricedModel ?? model, 0, ratios[tierOptions[tier]]) !== undefined;

type TieredRequest = Pick<RelayRequest, 'body' | 'model' | 'pricedModel'>;

/** True if the requested service tier may be sent to a model. A more expensive tier needs a price. */
export function isTierAllowed(request: TieredRequest, allowed: readonly string[], ratios: TierRatios): boolean {
  const tier = request.body[serviceTierField];
  if (tier === undefined || allowed.includes(serviceTierField)) return true;
  return unpricedFields.get(serviceTierField)?.(tier) === true || isPricedTier(request, tier, ratios);
}

/** Checks tools in every field, not only in `tools`. */
function rejectServerTools({ kind, body }: RelayRequest, allowed: readonly string[]): void {
  if (allowed.includes(serverToolsField) || !kind.dialect.findServerTools) return;
  if (kind.dialect.findServerTools(body).length > 0) throw unpriced(serverToolsField);
}

/** Clients cannot upload files to upstreams through the gateway, so the owner of a referenced file is unknown. */
function rejectStoredFile({ kind, body }: RelayRequest, allowed: readonly string[]): void {
  const kept = kind.dialect.readStoredFile?.(body, allowed);
  if (!kept) return;
  const path = kept.path.slice(0, 100);
  const message = `${path} is not allowed: data in the operator's upstream account is not shared. Send the contents instead`;
  const rejection = new RelayError(400, message, 'kept_file', 'invalid_request_error');
  rejection.param = path;
  throw rejection;
}

/** True if a field costs nothing beyond its tokens. For tools, the dialect determines which ones the provider runs. */
function isPriced({ kind, body, earlier, previousResponse }: RelayRequest, field: string, value: unknown): boolean {
  // The previous response was created for the same user, and its tokens are reserved.
  if (earlier && field === previousResponse?.field) return true;
  const isHarmless = unpricedFields.get(field)?.(value) ?? true;
  return isHarmless || (field === serverToolsField && kind.dialect.findServerTools?.(body).length === 0);
}

/** Checks the content of an allowed field: it may contain other fields that are not allowed, in any spelling. */
function checkPacked(value: unknown, allowed: readonly string[], path: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unpriced(path);
  for (const [name, inner] of Object.entries(value as JsonObject)) {
    const field = checkedAs(name);
    const inside = `${path}.${name}`;
    rejectDeferring(inside, field, inner);
    if (hasNoEffectInside(field, inner)) continue;
    // Fields that are checked at the top level are not allowed here.
    if (field === undefined || !unpricedFields.has(field) || !allowed.includes(field)) throw unpriced(inside);
    if (field === extraBodyField) checkPacked(inner, allowed, inside);
  }
}

const hasNoEffectInside = (field: string | undefined, value: unknown): boolean =>
  field === undefined || asyncResponseFields.has(field) || unpricedFields.get(field)?.(value) === true;

/** Rejects a field that defers the response; `place` is its path. */
function rejectDeferring(path: string, field: string | undefined, value: unknown): void {
  if (field === undefined || asyncResponseFields.get(field)?.(value) !== false) return;
  const param = path.slice(0, 100);
  const message = `${param} is not supported: the upstream would respond later, and the request could not be billed`;
  const error = new RelayError(400, message, 'unsupported_field', 'invalid_request_error');
  error.param = param;
  throw error;
}

const checkedAs = (name: string): string | undefined =>
  checkedFieldFor(name) ?? (isOtherModelField(name.toLowerCase()) ? name : undefined);

function unpriced(name: string): RelayError {
  const message = `${name.slice(0, 100)} with this value is not allowed: its cost has no price on this gateway`;
  const rejection = new RelayError(400, message, 'unpriced_field', 'invalid_request_error');
  rejection.param = name.slice(0, 100);
  return rejection;
}
