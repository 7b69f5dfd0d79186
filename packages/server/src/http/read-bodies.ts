import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../platform/rate-limits/client-network.ts';
import type { BodyOwner } from './bodies/body-budget.ts';
import { type BodyLimits, BodyReader } from './bodies/body-reader.ts';

/** A form, or a list of some hundred rows: nothing of the API needs more. */
const largestBytes = 1_048_576;
/** The bytes of one network's bodies at once: forms are small, so that many of them fit. */
const bytesOfNetwork = 4 * largestBytes;
const partOfBudget = 8;

/**
 * Reads what the API is told. Whose it is, is not known yet, so that it counts for the network it comes from, and in a
 * budget of its own: strangers who fill it keep out nobody who calls the relay.
 */
export function readBodies(app: FastifyInstance, { budget }: BodyLimits, patienceMs: number | undefined): void {
  const limits = { largest: largestBytes, ofOne: bytesOfNetwork };
  const bodies = new BodyReader({ ...limits, budget: Math.max(budget / partOfBudget, 2 * bytesOfNetwork) }, patienceMs);
  const owners = new Map<string, BodyOwner>();
  const textOf = async (request: FastifyRequest) => {
    const network = networkOf(request.ip);
    const owner = owners.get(network) ?? { bodyBytes: 0 };
    owners.set(network, owner);
    try {
      const body = await bodies.read(request.raw, { owner, isJson: true });
      body.release();
      return body.bytes.toString('utf8');
    } finally {
      if (owner.bodyBytes === 0) owners.delete(network);
    }
  };
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', textOf);
  app.addContentTypeParser('application/json', (request, _, done) => {
    textOf(request).then((text) => parse(request, text, done), done);
  });
}
