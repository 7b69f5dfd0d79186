import { parseArgs } from 'node:util';
import { exitCodes, runMain, UsageError } from '../../packages/server/src/commands/run-main.ts';
import { demoPassword, startDemo } from './start-demo.ts';

/**
 * `npm run demo [-- --port 3000]`: a gateway with sample channels, users and 30 days of traffic, in a temporary
 * folder. Its providers run on this machine, so chats stream without a key.
 */
await runMain(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '3000' } } });
  const demo = await startDemo({ port: portOf(values.port), say: (step) => console.log(`${step}…`) });
  const [first] = demo.shop.people;
  console.log(`
The demo is ready at ${demo.server.address} with ${demo.requests} requests from the last 30 days.

  Log in     root or ${first?.username}, password ${demoPassword}
  Try a chat  curl ${demo.server.address}/v1/chat/completions \\
                -H "Authorization: Bearer sk-${first?.keys[0]}" -H "Content-Type: application/json" \\
                -d '{"model": "claude-sonnet-4-5", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}'

Press Ctrl-C to stop it and delete all demo data.`);
  const end = (): void => {
    demo.stop().then(
      () => process.exit(exitCodes.done),
      (error: unknown) => {
        console.error(error);
        process.exit(exitCodes.failed);
      },
    );
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return exitCodes.done;
});

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--port must be a port number from 0 to 65535.');
  return port;
}
