import { budgetApi, limitRuleApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const setBudget = ({ admin }: Scene, group: string) =>
  admin.call(budgetApi.create, { body: { kind: 'group', group, amount: 1, period: 'all', time_zone: 'UTC' } });
const setLimit = ({ admin }: Scene, group: string) =>
  admin.call(limitRuleApi.create, { body: { group, measure: 'cost_per_request', amount: 1 } });

test.each(['constructor', '__proto__', 'user:1', '1'])(
  '[A58.7] the group %s is limited by its own rules, not by those of groups with similar names',
  async (group) => {
    await using app = await startTestApp();
    const scene = await relayFixture(app, { group, upstreams: [completion()] });
    const send = async () => (await scene.chat({ max_tokens: 10 })).status;
    const ids = [scene.user.id, scene.token.id].flatMap((id) => [`${id}`, `user:${id}`, `token:${id}`, `group:${id}`]);
    const others = new Set([...ids, 'toString', 'hasOwnProperty', `${group}s`]);
    others.delete(group);
    for (const other of others) {
      await setBudget(scene, other);
      await setLimit(scene, other);
    }
    // Nodes load a group's budgets on its first request.
    const alike = await relayFixture(app, { group: [...others].join(','), upstreams: [completion()] });
    expect((await alike.chat({ max_tokens: 10 })).status).toBe(429);
    expect(await send()).toBe(200);
    const budget = await setBudget(scene, group);
    expect(await send()).toBe(429);
    await scene.admin.call(budgetApi.remove, { params: { id: budget.id } });
    expect(await send()).toBe(200);
    await setLimit(scene, group);
    expect(await send()).not.toBe(200);
    await alike.close();
    await scene.close();
  },
);
