import type { IncomingHttpHeaders } from 'node:http';
import { RelayError } from '@headgate/relay';
import { keyHeaders } from './read-api-key.ts';

/**
 * Destinations that never execute a response: `empty` is fetch, the others are media elements. Non-browser clients send
 * no destination, and neither do browsers over plain HTTP.
 */
const inertDestinations: ReadonlySet<string | undefined> = new Set([undefined, 'empty', 'image', 'audio', 'video']);

/** Sites whose requests are accepted with any content type. */
const trustedSites: ReadonlySet<string | undefined> = new Set([undefined, 'same-origin', 'none']);

const multipart = 'multipart/form-data';

/** Content types that a form, or a fetch without a preflight request, can send to another site. */
const formTypes: ReadonlySet<string | undefined> = new Set([
  'application/x-www-form-urlencoded',
  multipart,
  'text/plain',
  undefined,
]);

/**
 * Rejects requests in which a browser would show or execute the response, and forms posted by another site, because
 * the response is upstream content on the console's origin.
 */
export function rejectBrowserContent(headers: IncomingHttpHeaders): void {
  if (!inertDestinations.has(headers['sec-fetch-dest'] as string | undefined)) throw notForBrowsers();
  if (!trustedSites.has(headers['sec-fetch-site'] as string | undefined) && isForm(headers)) throw crossSiteForm();
}

/**
 * A multipart body sent by fetch also looks like a form, but a form cannot send a key in a header, and fetch can do
 * so only after a preflight request.
 */
function isForm(headers: IncomingHttpHeaders): boolean {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (!formTypes.has(type)) return false;
  if (type === multipart) return !keyHeaders.some((name) => headers[name] !== undefined);
  return type !== undefined || hasBody(headers);
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

const notForBrowsers = () =>
  new RelayError(
    403,
    'This is an API endpoint. Call it from a program, with fetch or with an SDK; a browser cannot open it as a page, frame or script.',
    'browser_navigation',
    'invalid_request_error',
  );

const crossSiteForm = () =>
  new RelayError(
    403,
    'Forms from other sites are not accepted. Send JSON, or send the API key in a header.',
    'cross_site_form',
    'invalid_request_error',
  );
