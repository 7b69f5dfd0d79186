import type { Caller, Ports, Route } from '../ports/ports.ts';
import { RelayError, toldBack } from '../ports/relay-error.ts';

/** Throws when nobody serves the model to this caller. */
export function requireRoute<By extends Caller>(ports: Pick<Ports<By>, 'route'>, caller: By, model: string): Route {
  const route = ports.route(caller, model);
  if (!route) throw noRoute(model);
  return route;
}

export const noRoute = (model: string) =>
  new RelayError(503, `No channel serves the model ${toldBack(model)} to you`, 'no_channel');
