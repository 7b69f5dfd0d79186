import { Account } from '@headgate/relay';
import { expect, it } from 'vitest';
import { LeaseExchange } from '../leases/lease-exchange.ts';
import type { BudgetHolder } from './budget-table.ts';
import type { UsableEntry } from './caller-entry.ts';
import { TokenCaller } from './token-caller.ts';

const [formerNode, currentNode] = [1, 2];

const points = (node: number) => ({
  share: { points: 1000, leased: 1000, elsewhere: 0, node },
  account: new Account(1000),
});

/** Caller with a plan and a budget. `nodes` sets the node that holds each lease. */
function callerWithPlan(
  nodes: { user?: number; token?: number; budget?: number },
  given?: readonly { readonly free: number; readonly end: number }[],
) {
  const { user = currentNode, token = currentNode, budget = currentNode } = nodes;
  const holder = (id: number, kind: 'plan' | 'user', node: number) =>
    ({ id, facts: { owner_kind: kind }, end: Number.POSITIVE_INFINITY, ...points(node) }) as unknown as BudgetHolder;
  const windows = given?.map(({ free, end }) => ({
    ...holder(1, 'plan', currentNode),
    end,
    account: new Account(free),
  })) ?? [holder(1, 'plan', currentNode)];
  const daily = holder(2, 'user', budget);
  const plan = {
    id: 1,
    name: 'Pro',
    group: '',
    starts: 0,
    ends: Number.POSITIVE_INFINITY,
    covers: (model: string) => model !== 'other',
  };
  const entry = {
    ...points(token),
    facts: { id: 1, name: 'key', unlimited_quota: 0, member_id: null, project_id: 0 },
    systemTags: '',
    user: { ...points(user), facts: { id: 1, username: 'jane' }, groups: ['default'], plans: [plan] },
  } as unknown as UsableEntry;
  const leases = new LeaseExchange({ leases: { node: currentNode } } as never);
  const budgets = {
    under: () => [daily],
    windowsOf: () => windows as readonly BudgetHolder[],
    renew: async () => undefined,
    usedUp: ({ end }: BudgetHolder) => ({ end }) as never,
  };
  return new TokenCaller(entry, { channel: undefined } as never, { leases, budgets });
}

it('charges the plan', () => {
  expect(callerWithPlan({}).reserve(10)).toMatchObject({ plan: { name: 'Pro' }, held: 10 });
});

it.each(['user', 'token', 'budget'])('does not charge a plan while the %s lease is void', (kind) => {
  const caller = callerWithPlan({ [kind]: formerNode });
  expect(caller.reserve(10)).toBe('budget_held');
});

it('names the window that resets last when several are too small', () => {
  const caller = callerWithPlan({}, [
    { free: 0, end: 100 },
    { free: 5, end: 900 },
    { free: 50, end: 5000 },
  ]);
  caller.reserve(2000, 20);
  expect(caller.explain('user')).toEqual({ end: 900 });
});

it('offers the points of the plan that pays, even if the balance is larger', () => {
  const caller = callerWithPlan({}, [{ free: 50, end: 100 }]);
  expect([10, 50, 51].map((points) => caller.freeFor('', 'gpt-4o', points))).toEqual([50, 50, 1000]);
  expect(caller.freeFor('', 'other', 10)).toBe(1000);
});

it('does not offer points of a plan to requests that the plan does not cover', () => {
  const caller = callerWithPlan({}, [{ free: 5000, end: 100 }]);
  caller.user.account.hold(400);
  expect([caller.free, caller.freeFor('', 'gpt-4o', 10), caller.freeFor('', 'other', 10)]).toEqual([1000, 1000, 600]);
});
