import type { Caller, NoRouteReason, Ports, Route } from '../ports/ports.ts';
import { RelayError, shortenName } from '../ports/relay-error.ts';

type RoutePorts<By extends Caller> = Pick<Ports<By>, 'route' | 'noRouteReason'>;

interface Unrouted {
  /** The client's model name, possibly an alias. */
  readonly model: string;
  readonly groups: readonly string[];
}

/** Throws if no channel serves the model for this caller. */
export function requireRoute<By extends Caller>(
  ports: RoutePorts<By>,
  caller: By,
  model: string,
  requestedModel = model,
): Route {
  const route = ports.route(caller, model);
  if (!route) throw noRouteError(ports.noRouteReason(caller, model), { model: requestedModel, groups: caller.groups });
  return route;
}

export const noRouteError = (reason: NoRouteReason, unrouted: Unrouted): RelayError => errors[reason](unrouted);

export const modelNotFoundError = (model: string): RelayError =>
  new RelayError(404, `The model '${shortenName(model)}' does not exist`, 'model_not_found', 'invalid_request_error');

/** Retry-After in seconds for channels that are down. */
const retryAfter = 30;

/** 503 for channels that exist but are down: the only case in which retrying the same request later may succeed. */
export function channelsDownError(message: string): RelayError {
  const error = new RelayError(503, message, 'no_channel');
  error.retryAfter = retryAfter;
  return error;
}

const groupsOf = ({ groups }: Unrouted): string => shortenName(groups.join(', '));

const errors: Readonly<Record<NoRouteReason, (unrouted: Unrouted) => RelayError>> = {
  unknown_model: ({ model }) => modelNotFoundError(model),
  unknown_channel: () => new RelayError(404, 'The channel of this API key does not exist or is disabled', 'no_channel'),
  group: (unrouted) =>
    new RelayError(
      403,
      `Model ${shortenName(unrouted.model)} is not available to group ${groupsOf(unrouted)}`,
      'model_not_allowed',
    ),
  binding: ({ model }) =>
    new RelayError(403, `No channel allowed for this token serves model ${shortenName(model)}`, 'channel_not_allowed'),
  down: (unrouted) =>
    channelsDownError(`No available channel for model ${shortenName(unrouted.model)} in group ${groupsOf(unrouted)}`),
};
