import { type AccessScope, accessTokenApi, neverExpires, role } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import type { NewTestUser, TestApp } from '../test-app.ts';
import { accountsOf } from './accounts.ts';

/** Users with named access tokens, and clients that use them. */
export function accessTokenFixture(app: TestApp) {
  const { signedInUser } = accountsOf(app);

  /** A client with a key and without cookies. */
  const programWith = (key: string): ApiClient => {
    const program = app.client();
    program.headers['authorization'] = `Bearer ${key}`;
    return program;
  };

  const make = async (owner: ApiClient, scope: AccessScope, expired_time = neverExpires) =>
    owner.call(accessTokenApi.create, { body: { name: `for ${scope}`, scope, expired_time } });

  /** A user, root by default, with an access token of this scope. */
  const holder = async (scope: AccessScope, given: NewTestUser = { role: role.root }) => {
    const { user, client } = await signedInUser(given);
    const { id, key } = await make(client, scope);
    return { user, client, id, key, program: programWith(key) };
  };

  return { programWith, make, holder };
}
