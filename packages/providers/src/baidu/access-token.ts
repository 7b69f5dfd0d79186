import { numberAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { CredentialExchange, Upstream } from '../provider.ts';

export const hasKeyPair = ({ key }: Upstream) => key.includes('|');

/** Version 1 exchanges the key pair for a token that is valid for a month. */
export const accessToken: CredentialExchange = {
  request(upstream) {
    if (!hasKeyPair(upstream)) return undefined;
    const [id = '', secret = ''] = upstream.key.split('|').map((part) => part.trim());
    const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    return { method: 'POST', url: `${upstream.baseUrl}/oauth/2.0/token?${query}`, headers: {} };
  },
  read(body) {
    const credential = textAt(body, 'access_token');
    if (credential !== '') return { credential, seconds: numberAt(body, 'expires_in') ?? monthSeconds };
    const message = textAt(body, 'error_description') || 'The upstream returned no access token';
    throw new UpstreamProblem(401, message, textAt(body, 'error') || null);
  },
};

const monthSeconds = 30 * 24 * 60 * 60;
