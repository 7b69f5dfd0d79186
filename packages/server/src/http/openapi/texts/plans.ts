import { currencyNames, userPlanStates, windowPeriods } from '@headgate/contract';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const named = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const window = { period: 'hours' as const, hours: 5, amount: 2_500_000 };
const terms = {
  name: 'Pro',
  currency: 'usd' as const,
  price: 2000,
  days: 30,
  windows: [window, { period: 'week' as const, hours: 0, amount: 10_000_000 }],
  time_zone: 'UTC',
  models: 'gpt-5*,claude-*',
  upgrade_group: 'vip',
};

const usedWindow = { ...window, used: 1_200_000, reset_time: 1_795_096_800 };
const renewal = { renews: true, payment_failed: false, period_end: 1_797_670_800 };
const ownExample = {
  id: 17,
  plan_id: 3,
  name: 'Pro',
  models: '',
  groups: '',
  upgrade_group: 'vip',
  starts_time: 1_795_078_800,
  ends_time: 1_797_670_800,
  state: 'active',
  windows: [usedWindow],
  renewal,
} as const;

export const planResources: ResourceTexts<'plan' | 'userPlan' | 'ownPlan'> = {
  plan: {
    tag: 'Payments',
    params: { id: 'ID of the plan.' },
    operations: {
      list: { summary: 'List plans', description: 'Returns all plans, in the order of `sort`.', data: 'The plans.' },
      get: { summary: 'Get a plan', description: 'Returns one plan.' },
      create: {
        summary: 'Create a plan',
        description: 'Creates a plan that users can buy or admins can assign.',
        bodyExample: terms,
      },
      update: {
        summary: 'Update a plan',
        description: 'Changes the given fields. Plans that users already have keep their terms.',
        bodyExample: { id: 3, price: 2500 },
      },
      remove: { summary: 'Delete a plan', description: 'Deletes a plan. Users keep theirs until they end.' },
    },
  },
  userPlan: {
    tag: 'Payments',
    params: { id: 'ID of the plan of a user.' },
    operations: {
      list: {
        summary: 'List plans of users',
        description: 'Returns the plans of users, newest first, including plans that have ended.',
        data: 'The plans.',
        query: { user_id: 'Only plans of this user.', plan_id: 'Only purchases of this plan.' },
      },
      assign: {
        summary: 'Assign a plan to a user',
        description: 'Gives a user a plan without a payment. It starts immediately.',
        bodyExample: { user_id: 42, plan_id: 3, note: 'Trial' },
      },
      remove: {
        summary: 'Remove a plan of a user',
        description: 'Ends a plan of a user. In-flight requests are still charged to it.',
        bodyExample: { note: 'Requested by the user' },
      },
    },
  },
  ownPlan: {
    tag: 'Payments',
    params: { id: 'ID of your plan.' },
    operations: {
      offers: {
        summary: 'List plans for sale',
        description: 'Returns the plans that you can buy.',
        data: 'The plans.',
      },
      own: {
        summary: 'List your plans',
        description: 'Returns your valid plans in the order in which they pay, with the usage of their windows.',
        data: 'The plans.',
      },
      buy: {
        summary: 'Buy a plan',
        description:
          'Creates an order of a plan and returns the page to pay on. The plan starts when the provider confirms the payment.',
        data: 'The order number and the page to pay on.',
        dataExample: { number: '202611195f0c2a7be91d4c3388aa', url: 'https://checkout.stripe.com/c/pay/cs_test' },
        bodyExample: { plan_id: 3, provider: 'stripe' },
      },
      cancel: {
        summary: 'Cancel a plan',
        description:
          'Ends one of your plans immediately. Its payment is not refunded, and it cannot be restored. In-flight requests are still charged to it.',
        data: 'The canceled plan.',
        dataExample: { ...ownExample, state: 'canceled', windows: [{ ...usedWindow, reset_time: 0 }] },
      },
      renewal: {
        summary: 'Cancel or resume the renewal of a plan',
        description:
          'Turns the renewal of one of your plans off or on at the payment provider. Without renewal, the plan ends with the paid period.',
        data: 'The plan.',
        dataExample: { ...ownExample, renewal: { ...renewal, renews: false } },
        bodyExample: { renews: false },
      },
    },
  },
};

const fields = {
  name: 'Name of the plan.',
  description: 'Description for users.',
  currency: `Currency of the price: ${named(currencyNames)}.`,
  price: 'Price in the smallest unit of the currency. 0: not for sale.',
  days: 'Days of validity after the start.',
  windows: 'Limits. A request needs room in each of them.',
  time_zone: 'IANA time zone of calendar windows.',
  models: 'Models that the plan covers, separated by commas. A name may end with `*`. Empty: all.',
  groups: 'Groups that the plan covers, separated by commas. Empty: all.',
  upgrade_group: 'Group of the user while the plan is valid. Empty: none.',
  recurring: 'True: renewed each time its days have passed, until the user cancels the renewal.',
  max_per_user: 'Maximum number of valid plans and unpaid orders per user. 0: no limit.',
  sort: 'Position in the list, ascending.',
} as const;

const ownFields = {
  plan_id: 'ID of the plan for sale.',
  name: 'Name of the plan.',
  models: fields.models,
  groups: fields.groups,
  upgrade_group: fields.upgrade_group,
  starts_time: 'Start, Unix seconds.',
  ends_time: 'End, Unix seconds.',
  state: `State: ${named(Object.keys(userPlanStates))}.`,
  windows: 'Limits with their usage.',
  renewal: 'Renewal by a subscription that has not ended. Null: the plan is not renewed.',
} as const;

const windowFields = {
  period: `Period: ${named(windowPeriods)}. \`hours\` is a rolling window, \`all\` lasts as long as the plan.`,
  hours: 'Length of a rolling window in hours. 0: not a rolling window.',
  amount: 'Limit in points.',
} as const;
const provider = 'Payment provider: `stripe` or `epay`.';
const { sort: _sort, max_per_user: _max, ...offerFields } = fields;

export const planSchemas: SchemaTexts = {
  PlanWindow: { description: 'A limit of a plan.', fields: windowFields, example: window },
  PlanWindowRequest: { description: 'A limit of a plan.', fields: windowFields, example: window },
  UsedPlanWindow: {
    description: 'A limit of a plan with its usage.',
    fields: {
      ...windowFields,
      used: 'Points used in the current period.',
      reset_time: 'When the window resets, Unix seconds. 0: never.',
    },
    example: usedWindow,
  },
  Plan: {
    description: 'A plan that users can buy, or that admins assign.',
    fields: {
      ...fields,
      windows: 'Limits. A request needs room in each of them. Empty: unreadable, neither sold nor assigned.',
      enabled: 'False: not for sale.',
    },
    example: {
      id: 3,
      ...terms,
      description: 'For daily work',
      groups: '',
      recurring: false,
      max_per_user: 1,
      enabled: true,
      sort: 0,
      created_time: 1_795_000_000,
    },
  },
  PlanOffer: {
    description: 'A plan for sale.',
    fields: {
      ...offerFields,
      available: 'False: you have as many of these plans as allowed.',
      providers: 'Payment providers that accept the currency.',
    },
    example: {
      id: 3,
      ...terms,
      description: 'For daily work',
      groups: '',
      recurring: false,
      available: true,
      providers: [{ provider: 'stripe', methods: [] }],
    },
  },
  PlanProvider: {
    description: 'A payment provider for a plan.',
    fields: { provider, methods: 'Payment methods to choose from. Empty: chosen on the payment page.' },
    example: { provider: 'stripe', methods: [] },
  },
  OwnPlan: { description: 'A plan that you have.', fields: ownFields, example: ownExample },
  UserPlan: {
    description: 'A plan of a user.',
    fields: {
      ...ownFields,
      user_id: 'ID of the user.',
      username: 'Name of the user. Empty: the account was deleted.',
      order_id: 'ID of the order. 0: assigned by an admin.',
      created_by: 'ID of the user who bought or assigned the plan.',
      note: 'Note of the admin.',
    },
    example: { ...ownExample, user_id: 42, username: 'alice', order_id: 0, created_by: 1, note: 'Trial' },
  },
  PlanCreateRequest: {
    description: 'A new plan.',
    fields: { ...fields, enabled: 'False: not for sale.' },
    example: terms,
  },
  PlanUpdateRequest: {
    description: 'Changes of a plan. Omitted fields keep their values.',
    fields: { ...fields, enabled: 'False: not for sale.' },
    example: { id: 3, price: 2500 },
  },
  PlanAssignRequest: {
    description: 'A plan for a user.',
    fields: {
      user_id: 'ID of the user.',
      plan_id: 'ID of the plan.',
      days: 'Days of validity. Default: those of the plan.',
      note: 'Note, shown to admins.',
    },
    example: { user_id: 42, plan_id: 3, note: 'Trial' },
  },
  PlanRemoveRequest: {
    description: 'End of a plan of a user.',
    fields: { note: 'Reason, at most 500 characters.' },
    example: { note: 'Requested by the user' },
  },
  PlanRenewal: {
    description: 'Renewal of a plan.',
    fields: {
      renews: 'False: ends with the paid period.',
      payment_failed: 'True: the last payment failed. The provider repeats it.',
      period_end: 'End of the paid period, Unix seconds: the next payment, or the end of the plan.',
    },
    example: renewal,
  },
  PlanRenewalRequest: {
    description: 'Change of the renewal of a plan.',
    fields: { renews: 'True: renew the plan after each period. False: end it with the paid period.' },
    example: { renews: false },
  },
  PlanOrderRequest: {
    description: 'An order of a plan.',
    fields: { plan_id: 'ID of the plan.', provider, method: 'Payment method, if the provider has methods.' },
    example: { plan_id: 3, provider: 'stripe' },
  },
};
