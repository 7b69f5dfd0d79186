import { type JsonObject, parseJson } from '@headgate/dialects';
import { defaultProblem, type UpstreamRequest } from '@headgate/providers';
import { maskCredential } from '../guards/mask-secrets.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { applyHeaderRules } from '../rules/apply-header-rules.ts';
import { collectBody } from '../upstream/collect.ts';
import { UpstreamConnectionError } from '../upstream/upstream-exchange.ts';
import { providerFor, UpstreamView } from '../upstream/upstream-view.ts';
import { failedAttempt } from './failed-attempt.ts';
import type { UpstreamServices } from './upstream-services.ts';

const maxResponseBytes = 8 * 1024 * 1024;
const timeoutMs = 20_000;

/** Remaining balance of a channel at its provider; undefined if the provider does not report it. */
export function readBalance(services: UpstreamServices, channel: RelayChannel): Promise<number> | undefined {
  const { balance } = providerFor(channel);
  if (!balance) return undefined;
  return guarded(channel, async () => {
    const view = await viewOf(services, channel);
    const bodies: unknown[] = [];
    for (const request of balance.requests(view)) bodies.push(await send(services, view, ruledQuery(request, channel)));
    const left = balance.read(bodies);
    if (!Number.isFinite(left)) throw new RelayError(502, 'The response contains no balance', 'bad_response');
    return left;
  });
}

/** Models that a channel's upstream offers; undefined if it has no such endpoint. */
export function listModels(services: UpstreamServices, channel: RelayChannel): Promise<readonly string[]> | undefined {
  const { modelList } = providerFor(channel);
  if (!modelList) return undefined;
  return guarded(channel, async () => {
    const view = await viewOf(services, channel);
    const body = await send(services, view, ruledQuery(modelList.request(view), channel));
    rejectHiddenError(channel, view, body);
    return [...new Set(modelList.read(body))].sort();
  });
}

/** Throws an error inside a 200, because an upstream that returns such errors for chats does so for all endpoints. */
function rejectHiddenError(channel: RelayChannel, view: UpstreamView, body: unknown): void {
  const { chat } = providerFor(channel);
  const wire = typeof chat === 'function' ? chat(view) : chat;
  const hidden = wire?.kind === 'pass' && wire.hiddenError?.read(body as JsonObject);
  if (hidden) throw hidden;
}

async function viewOf({ credentials }: UpstreamServices, channel: RelayChannel): Promise<UpstreamView> {
  const view = new UpstreamView(channel, { model: '', isStream: false });
  view.credential = (await credentials.of(providerFor(channel).credential, view)) ?? '';
  maskCredential(channel, view.credential);
  return view;
}

async function send(
  { upstreams, credentials }: UpstreamServices,
  view: UpstreamView,
  request: UpstreamRequest,
): Promise<unknown> {
  const response = await upstreams.open(request, AbortSignal.timeout(timeoutMs), { proxy: view.proxy });
  const body = parseJson((await collectBody(response, maxResponseBytes)).toString('utf8'));
  if (response.status === 401) credentials.forget(view);
  if (response.status !== 200) throw defaultProblem(response.status, body);
  if (typeof body !== 'object' || body === null)
    throw new RelayError(502, 'The upstream response is not JSON', 'bad_response');
  return body;
}

/** Converts every failure to a RelayError without the channel's secrets. */
async function guarded<T>(channel: RelayChannel, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof RelayError) throw error;
    if (error instanceof TypeError)
      throw new RelayError(502, 'The upstream returned an unreadable response', 'bad_response');
    if (error instanceof UpstreamConnectionError) throw new RelayError(502, error.message, 'upstream_unreachable');
    throw failedAttempt(error, channel).error;
  }
}

/** Header rules without conditions, for requests that do not concern a model: model lists and balances. */
function ruledQuery(request: UpstreamRequest, { rules, key }: RelayChannel): UpstreamRequest {
  if (!rules) return request;
  const general = rules.all.filter(({ when }) => Object.values(when).every((list) => list.length === 0));
  const actions = general.flatMap((rule) => rule.then.filter((action) => 'header' in action));
  return { ...request, headers: applyHeaderRules(request.headers, actions, { key, client: {} }) };
}
