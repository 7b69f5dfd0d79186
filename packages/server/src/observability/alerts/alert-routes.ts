import type { AlertNotification, alertApi } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { Handlers } from '../../http/handlers.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { AlertDestinationService } from './alert-destination-service.ts';
import type { AlertQueueRepository, QueueRow } from './alert-queue-repository.ts';
import type { AlertRuleService } from './alert-rule-service.ts';
import type { AlertSender, StoredMessage } from './alert-sender.ts';

interface Services {
  readonly receivers: AlertDestinationService;
  readonly rules: AlertRuleService;
  readonly queue: AlertQueueRepository;
  readonly sender: AlertSender;
  readonly now: () => number;
}

export const alertRoutes = ({ receivers, rules, queue, sender, now }: Services): Handlers<typeof alertApi> => ({
  receivers: () => receivers.list(),
  receiver: ({ params }) => receivers.get(params.id),
  addReceiver: ({ caller, body }) => receivers.add(caller, body),
  updateReceiver: ({ caller, params, body }) => receivers.update(caller, params.id, body),
  removeReceiver: async ({ caller, params }) => {
    await receivers.remove(caller, params.id);
    return undefined;
  },
  testReceiver: ({ params }) => receivers.test(params.id),
  rules: () => rules.list(),
  rule: ({ params }) => rules.get(params.id),
  addRule: ({ caller, body }) => rules.add(caller, body),
  updateRule: ({ caller, params, body }) => rules.update(caller, params.id, body),
  removeRule: async ({ caller, params }) => {
    await rules.remove(caller, params.id);
    return undefined;
  },
  history: async ({ query }) => {
    const { rows, total } = await queue.history(query);
    return { rows: rows.map(present), total };
  },
  sendAgain: async ({ params }) => {
    if (!(await queue.sendAgain(params.id, now()))) throw new ApiError('alertNotFailed');
    sender.wake();
    return undefined;
  },
});

function present({ event_id: _, leased_ms: __, message, ...row }: QueueRow): AlertNotification {
  const { lines, page = '' } = parseJson(message) as StoredMessage;
  return { ...row, lines: [...lines], page };
}
