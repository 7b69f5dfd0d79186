import type { Caller, Ports } from '../ports/ports.ts';
import { isTooDeep, tooDeep } from '../ports/too-deep.ts';
import { refuseUnpriced } from '../request/refuse-unpriced.ts';
import { withoutServerTools } from '../request/server-tools.ts';
import { goingOnFrom, routeGoingOn } from './earlier-answer.ts';
import type { RelayCall } from './relay-call.ts';
import { RelayRun } from './relay-run.ts';
import { requireRoute } from './require-route.ts';
import type { UpstreamServices } from './upstream-services.ts';

/** Relays one request, or throws why not. Waits only where it goes on from an answer that must be looked for. */
export function relayCall<By extends Caller>(
  ports: Ports<By>,
  services: UpstreamServices,
  call: RelayCall<By>,
): Promise<void> {
  const allowed = ports.unpricedFieldsAllowed();
  const request = withoutServerTools(call.request, allowed);
  if (!request.goesOnFrom) return begin(ports, services, { ...call, request });
  const found = ports.keptAnswer(call.caller, request.goesOnFrom.id);
  return found.then((earlier) => begin(ports, services, { ...call, request: goingOnFrom(request, earlier, allowed) }));
}

function begin<By extends Caller>(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>): Promise<void> {
  const { caller, request } = call;
  refuseUnpriced(request, ports.unpricedFieldsAllowed());
  const route = requireRoute(ports, caller, request.model);
  try {
    return new RelayRun(ports, services, call, routeGoingOn(route, request)).run();
  } catch (error) {
    throw isTooDeep(error) ? tooDeep() : error;
  }
}
