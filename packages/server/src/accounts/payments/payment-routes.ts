import { isPaymentProvider, type orderApi, type ownPlanApi, type paymentApi } from '@headgate/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Handlers } from '../../http/handlers.ts';
import type { UserPlanService } from '../plans/user-plan-service.ts';
import { type CallbackSelfTest, selfTestParameter } from './callback-self-test.ts';
import type { CallbackService } from './callback-service.ts';
import type { OrderAdminService } from './order-admin-service.ts';
import type { OrderService } from './order-service.ts';
import type { PlanSales } from './plan-sales.ts';
import type { SubscriptionService } from './subscription-service.ts';

interface Payments {
  readonly orders: OrderService;
  readonly orderAdmin: OrderAdminService;
  readonly callbacks: CallbackService;
  readonly selfTest: CallbackSelfTest;
}

interface Plans {
  readonly planSales: PlanSales;
  readonly subscriptions: SubscriptionService;
  readonly userPlans: UserPlanService;
}

export const paymentRoutes = ({ orders }: Payments): Handlers<typeof paymentApi> => ({
  offers: ({ caller }) => orders.offers(caller),
  create: ({ caller, body }) => orders.create(caller, body),
  own: ({ caller, query }) => orders.own(caller, query),
  ownOne: ({ caller, params }) => orders.ownOne(caller, params.number),
  checkOwn: ({ caller, params }) => orders.checkOwn(caller, params.number),
});

export const ownPlanRoutes = ({ planSales, subscriptions, userPlans }: Plans): Handlers<typeof ownPlanApi> => ({
  offers: ({ caller }) => planSales.offers(caller),
  own: ({ caller }) => userPlans.own(caller),
  buy: ({ caller, body }) => planSales.buy(caller, body),
  cancel: ({ caller, params }) => userPlans.cancel(caller, params.id),
  renewal: ({ caller, params, body }) => subscriptions.setRenewal(caller, params.id, body.renews),
});

export const orderRoutes = ({ orderAdmin, selfTest }: Payments): Handlers<typeof orderApi> => ({
  list: ({ query }) => orderAdmin.page(query),
  get: ({ params }) => orderAdmin.get(params.id),
  callbacks: ({ query }) => orderAdmin.callbacks(query),
  check: ({ params }) => orderAdmin.check(params.id),
  refund: ({ caller, params, body }) => orderAdmin.refund(caller, params.id, body),
  selfTest: ({ body }) => selfTest.run(body.provider),
});

const callbackPath = '/api/payment/callback/:provider';

/** Callbacks of payment providers: raw bodies, no session. Signatures authenticate them. */
export function callbackRoutes(app: FastifyInstance, payments: Payments): void {
  app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request: FastifyRequest) => app.readBodyText(request, { isJson: false }));
    scope.route({
      method: ['GET', 'POST'],
      url: callbackPath,
      exposeHeadRoute: false,
      handler: (request, reply) => receive(payments, request, reply),
    });
    done();
  });
}

async function receive({ callbacks, selfTest }: Payments, request: FastifyRequest, reply: FastifyReply) {
  const { provider } = request.params as { readonly provider: string };
  reply.type('text/plain; charset=utf-8');
  if (!isPaymentProvider(provider)) return reply.code(404).send('fail');
  const { url = '' } = request.raw;
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const challenge = new URLSearchParams(query).get(selfTestParameter) ?? '';
  if (/^[0-9a-f]{32}$/.test(challenge)) return selfTest.respond(challenge);
  const { status, text } = await callbacks.receive(provider, {
    method: request.method,
    query,
    body: typeof request.body === 'string' ? request.body : '',
    signature: String(request.headers['stripe-signature'] ?? ''),
  });
  return reply.code(status).send(text);
}
