import { payloadApi, type StoredPayloads } from '@headgate/contract';
import type { TestApp } from '../test-app.ts';
import { relayFixture } from './relay-fixture.ts';

/** Response of the payload endpoint, either success or error. */
interface PayloadResponse {
  readonly success: boolean;
  readonly message: string;
  readonly data?: StoredPayloads;
}

type FixtureOptions = Parameters<typeof relayFixture>[1];

interface Amounts {
  readonly hours?: number;
  readonly kilobytes?: number;
}

/** A user whose token has payload logging, on an app that allows it. */
export async function payloadFixture(app: TestApp, options: FixtureOptions = {}, amounts: Amounts | 'off' = {}) {
  const scene = await relayFixture(app, options);
  const { admin, client, user, token } = scene;
  if (amounts !== 'off')
    await admin.call(payloadApi.keep, {
      params: { id: user.id },
      body: { token_id: token.id, hours: 1, kilobytes: 64, ...amounts },
    });
  const read = async (requestId: string) => {
    const { text, body } = await client.send(payloadApi.readOwn, { body: { request_id: requestId } });
    return { text, body: body as PayloadResponse };
  };
  return {
    ...scene,
    read,
    /** Stored payloads of this user, after all pending writes. */
    stored: async () => {
      await read('none');
      return app.database.selectFrom('kept_bodies').selectAll().where('user_id', '=', user.id).execute();
    },
  };
}

export const requestIdOf = (response: Response): string => response.headers.get('x-request-id') ?? '';
