import { type AlertReceiver, alertApi, type Input, type ReceiverKind } from '@headgate/contract';
import { AlertReceivers, type ApiClient } from '@headgate/testkit';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

type RuleBody = Input<typeof alertApi.addRule>['body'];

/** A clock that stands still until it is told. */
export class TestClock {
  seconds = 1_750_000_000;

  readonly now = (): number => this.seconds;
}

export interface AlertScene extends AsyncDisposable {
  readonly app: TestApp;
  readonly admin: ApiClient;
  readonly out: AlertReceivers;
  readonly clock: TestClock;
  receiver(kind?: ReceiverKind, name?: string): Promise<AlertReceiver>;
  rule(rule: Omit<RuleBody, 'receivers'> & Partial<Pick<RuleBody, 'receivers'>>): Promise<number>;
  history(): Promise<readonly unknown[]>;
}

/** A gateway, receivers of every kind, and a clock in the test's hand. */
export async function alertScene(options: TestAppOptions = {}): Promise<AlertScene> {
  const stack = new AsyncDisposableStack();
  const clock = new TestClock();
  const out = stack.use(await AlertReceivers.start());
  const app = stack.use(
    await startTestApp({ ...options, alertPace: { now: clock.now, pollMs: 50, watchMs: 50, ...options.alertPace } }),
  );
  const admin = await app.as('admin');
  let first: AlertReceiver | undefined;
  const receiver = async (kind: ReceiverKind = 'webhook', name: string = kind) => {
    const body = { kind, name, language: 'en' as const, settings: out.settings()[kind] ?? {} };
    const made = await admin.call(alertApi.addReceiver, { body });
    first ??= made;
    return made;
  };
  return {
    app,
    admin,
    out,
    clock,
    receiver,
    rule: async (rule) => {
      const receivers = rule.receivers ?? [(first ?? (await receiver())).id];
      return (await admin.call(alertApi.addRule, { body: { ...rule, receivers } })).id;
    },
    history: () => admin.call(alertApi.history, { query: { size: 100 } }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
