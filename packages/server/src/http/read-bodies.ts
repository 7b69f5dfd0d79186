import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientNetwork } from '../platform/rate-limits/client-network.ts';
import type { BodyQuotaOwner } from './bodies/body-budget.ts';
import { type BodyLimits, BodyReader } from './bodies/body-reader.ts';

/** Enough for a form or a list of a few hundred rows. */
const largestBytes = 1_048_576;
/** Limit for all bodies of one network that are in memory; many forms fit. */
const bytesOfNetwork = 4 * largestBytes;
const partOfBudget = 8;

interface TextBody {
  /** True to reject JSON that is slow to parse. */
  readonly isJson: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Reads the body of an API request as text. */
    readBodyText(request: FastifyRequest, kind: TextBody): Promise<string>;
  }
}

/**
 * Reads API bodies. The user is not known yet, so a body counts against its network's budget. The budget is separate
 * from the relay's, so unauthenticated traffic cannot affect relay clients.
 */
export function addBodyParsers(app: FastifyInstance, { budget }: BodyLimits, patienceMs: number | undefined): void {
  const limits = { maxBytes: largestBytes, perOwner: bytesOfNetwork };
  const bodies = new BodyReader({ ...limits, budget: Math.max(budget / partOfBudget, 2 * bytesOfNetwork) }, patienceMs);
  const owners = new Map<string, BodyQuotaOwner>();
  const readBodyText = async (request: FastifyRequest, { isJson }: TextBody) => {
    const network = clientNetwork(request.ip);
    const owner = owners.get(network) ?? { bodyBytes: 0 };
    owners.set(network, owner);
    try {
      const body = await bodies.read(request.raw, { owner, isJson });
      body.release();
      return body.bytes.toString('utf8');
    } finally {
      if (owner.bodyBytes === 0) owners.delete(network);
    }
  };
  const textOf = (request: FastifyRequest) => readBodyText(request, { isJson: true });
  app.decorate('readBodyText', readBodyText);
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', textOf);
  app.addContentTypeParser('application/json', (request, _, done) => {
    textOf(request).then((text) => parse(request, text, done), done);
  });
}
