import { parseJsonObject, type ResponseScan, UpstreamProblem } from '@headgate/dialects';
import { errorIn, problemInside } from '@headgate/providers';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';

/** Whether a response is an event stream. Some upstreams stream although streaming was not requested. */
export const isEventStream = ({ headers }: Pick<UpstreamResponse, 'headers'>): boolean =>
  String(headers['content-type']).toLowerCase().startsWith('text/event-stream');

/** Merges the events of a stream into a non-streamed response; throws if it is incomplete. */
export function mergeEvents(body: Buffer, scan: ResponseScan): Buffer {
  const gathering = scan.openMerger();
  for (const line of body.toString('utf8').split('\n')) {
    if (!line.startsWith('data:')) continue;
    const text = line.slice('data:'.length).trim();
    if (text === scan.endMarker) gathering.end();
    const event = parseJsonObject(text);
    if (event && errorIn(event)) throw problemInside(event);
    if (event) gathering.add(event);
  }
  const whole = gathering.whole();
  if (whole) return Buffer.from(JSON.stringify(whole));
  throw new UpstreamProblem(502, "The upstream's stream was interrupted: unexpected end", 'upstream_broke');
}
