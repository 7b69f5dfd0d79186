import type { Route } from '../ports/ports.ts';
import { RelayError } from '../ports/relay-error.ts';
import { isPriced, type SavedRatios } from '../quota/price.ts';

/** Returns the route without channels on which the model has no price; throws if no channel is left. */
export function pricedRoute(route: Route, model: string, saved: SavedRatios): Route {
  const channels = pricedChannels(route, model, saved);
  if (channels === route.channels) return route;
  if (channels.length > 0) return { ...route, channels };
  throw new RelayError(
    400,
    `Model ${model} has no price, so it cannot be used. Ask the operator of this gateway to set one`,
    'model_without_price',
    'invalid_request_error',
  );
}

export const pricedChannels = ({ channels }: Route, model: string, saved: SavedRatios): Route['channels'] =>
  isPriced(model, saved) ? channels : channels.filter(({ type }) => isPriced(model, saved, type));
