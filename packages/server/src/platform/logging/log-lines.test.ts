import { ApiClient } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';

const odd = 'a\r\n{"level":60,"msg":"planted"}\r\n\u001b[31m\u2028';

test('[A32.1] each log entry is one line of JSON, regardless of client input', async () => {
  await using database = await createTestDatabase();
  const environment = { ...database.environment, LOG_LEVEL: 'trace' };
  await using server = startServer(environment, database.location.dataDir);
  const url = await addressOf(server);
  const client = new ApiClient(url);
  await client.request('POST', '/api/user/login', { body: { username: odd, password: odd } });
  for (const path of ['/api/', '/', '/v1/engines/', '/v1/oneapi/proxy/'])
    await fetch(url + path + encodeURIComponent(odd));
  await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-unknown', 'user-agent': 'a\tb' },
    body: JSON.stringify({ model: odd, messages: [] }),
  });
  server.process.kill('SIGTERM');
  const { stdout } = await server.exit;
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('Headgate '));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) });
  expect(stdout).not.toContain('"msg":"planted"');
  expect(stdout).not.toContain('\u001b');
});
