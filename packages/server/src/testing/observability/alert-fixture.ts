import { type AlertDestination, alertApi, type DestinationKind, type Input } from '@headgate/contract';
import { AlertDestinations, type ApiClient } from '@headgate/testkit';
import { afterAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';

type RuleBody = Input<typeof alertApi.addRule>['body'];

/** Fake clock, advanced by the test. */
export class TestClock {
  seconds = 1_750_000_000;

  readonly now = (): number => this.seconds;
}

export interface AlertFixture extends AsyncDisposable {
  readonly app: TestApp;
  readonly admin: ApiClient;
  readonly out: AlertDestinations;
  readonly clock: TestClock;
  receiver(kind?: DestinationKind, name?: string): Promise<AlertDestination>;
  rule(rule: Omit<RuleBody, 'receivers'> & Partial<Pick<RuleBody, 'receivers'>>): Promise<number>;
  history(): Promise<readonly unknown[]>;
  /** Deletes rules, destinations and alerts and advances the clock by an hour, for the next test on the same app. */
  reset(): Promise<void>;
}

/** One fixture for a whole test file, reset before each test. */
export async function useAlertFixture(options: TestAppOptions = {}): Promise<AlertFixture> {
  const scene = await alertFixture(options);
  beforeEach(() => scene.reset());
  afterAll(() => scene[Symbol.asyncDispose]());
  return scene;
}

/** A gateway with destinations of every kind and a fake clock. */
export async function alertFixture(options: TestAppOptions = {}): Promise<AlertFixture> {
  const stack = new AsyncDisposableStack();
  const clock = new TestClock();
  const out = stack.use(await AlertDestinations.start());
  const app = stack.use(
    await startTestApp({ ...options, alertPace: { now: clock.now, pollMs: 50, watchMs: 50, ...options.alertPace } }),
  );
  const admin = await app.as('admin');
  let first: AlertDestination | undefined;
  const receiver = async (kind: DestinationKind = 'webhook', name: string = kind) => {
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
    reset: async () => {
      for (const { id } of await admin.call(alertApi.rules)) await admin.call(alertApi.removeRule, { params: { id } });
      for (const { id } of await admin.call(alertApi.receivers))
        await admin.call(alertApi.removeReceiver, { params: { id } });
      for (const table of ['alert_queue', 'alert_claims'] as const) await app.database.deleteFrom(table).execute();
      first = undefined;
      out.alerts.length = 0;
      out.faults.clear();
      clock.seconds += 3600;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
