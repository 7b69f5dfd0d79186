import { jwtIssuerApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { startTwoNodes } from '../../testing/process/two-nodes.ts';
import { jwtFixture } from '../../testing/relay/jwt-fixture.ts';

test('[A76.5] changes of an issuer apply to other nodes as soon as they are saved', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _ = stack;
  const fixture = await jwtFixture(near);
  stack.defer(() => fixture.close());
  const { id, issuer } = await fixture.createAll();
  const jwt = await fixture.provider.jwt(issuer.audience);
  const statusAt = async ({ url }: { url: string }) =>
    (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${jwt}` } })).status;
  expect([await statusAt(near), await statusAt(far)]).toEqual([200, 200]);
  for (const [off, on] of [
    [{ is_enabled: false }, { is_enabled: true }],
    [{ blocked_subjects: ['robot'] }, { blocked_subjects: [] }],
  ]) {
    await fixture.change(id, issuer, off ?? {});
    expect([await statusAt(near), await statusAt(far)]).toEqual([401, 401]);
    await fixture.change(id, issuer, on ?? {});
    expect([await statusAt(near), await statusAt(far)]).toEqual([200, 200]);
  }
  await fixture.root.call(jwtIssuerApi.remove, { params: { id, jwt_issuer: issuer.id } });
  expect(await statusAt(far)).toBe(401);
});
