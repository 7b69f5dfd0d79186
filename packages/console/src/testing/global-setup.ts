import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Gateway, setOption, startGateway } from '@headgate/testkit';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns the URL and data folder of a worker's gateway: `GET /1`. */
    gatewayBroker: string;
  }
}

/** Starts one gateway per vitest worker on first use, and stops all of them after the run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const gateways = new Map<string, Promise<Gateway>>();
  const broker = createServer(async (request, response) => {
    const worker = request.url ?? '';
    const gateway = gateways.get(worker) ?? startTestGateway();
    gateways.set(worker, gateway);
    const { url, folder } = await gateway;
    response.end(JSON.stringify({ url, folder }));
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  project.provide('gatewayBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.close();
    await Promise.all([...gateways.values()].map(async (gateway) => (await gateway).stop()));
  };
}

async function startTestGateway(): Promise<Gateway> {
  const gateway = await startGateway();
  // Unpriced models are allowed, because tests use them.
  await setOption(gateway.url, 'ModelsWithoutPrice', 'charge');
  return gateway;
}
