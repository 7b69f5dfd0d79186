import { logApi } from '@headgate/contract';
import type { UpstreamHandler } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { expectAddress, expectAlert, findButton } from '../../testing/page.ts';
import {
  deltaEvent,
  endlessResponse,
  openPlayground,
  rejectRequest,
  respondWith,
  sendQuestion,
  streamEvent,
} from '../../testing/playground.ts';
import { startUpstream } from '../../testing/upstream.ts';

/** Streams reasoning and Markdown with a script and a remote image. */
const reasoning: UpstreamHandler = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(deltaEvent({ role: 'assistant', reasoning_content: 'First I think.' }));
  const image = '![secret](https://elsewhere.example/steal.png)';
  response.write(deltaEvent({ content: `I am **well** <script>window.stolen = 1</script> ${image}` }));
  response.write(streamEvent({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } }));
  response.end('data: [DONE]\n\n');
};

const articles = () => screen.queryAllByRole('article');
const lastText = () => articles().at(-1)?.textContent;

it('[A31.1] streams a response with collapsed reasoning, tokens, times and cost, without running scripts', async () => {
  const upstream = await startUpstream(reasoning);
  const { user, client, key } = await openPlayground(upstream);
  sendQuestion('Who are you?', { 'System prompt': 'Be brief', Temperature: '0.5' });
  await expect.poll(lastText).toMatch(/first byte after [\d,]+ ms · [\d,]+ ms total · cost \$/);
  const response = within(screen.getByRole('article', { name: 'Response from gpt-4o' }));
  await response.findByText('well', { selector: 'strong' });
  const details = response.getByText('First I think.').closest('details') as HTMLDetailsElement;
  expect(details.open).toBe(false);
  expect(response.getByText('Reasoning').parentElement).toBe(details);
  expect(document.querySelectorAll('article script, article img')).toHaveLength(0);
  expect(lastText()).toContain('12 tokens in, 34 out');
  const [charged] = await client.call(logApi.listOwn, { query: { type: 2 } });
  expect(charged?.quota).toBeGreaterThan(0);
  expect(lastText()).toContain(`cost $${((charged?.quota ?? 0) / 500_000).toFixed(6)}`);

  sendQuestion('And again?');
  await expect.poll(() => articles().length).toBe(2);
  await findButton('Send');
  const [first, second] = upstream.received.map(({ body }) => body);
  expect(first).toMatchObject({
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Who are you?' },
    ],
  });
  expect(second?.['messages']).toHaveLength(4);
  // The key is not stored.
  const stored = [{ ...localStorage }, { ...sessionStorage }, window.location.href];
  expect(JSON.stringify(stored)).not.toContain(key);
  await user.click(await findButton('New conversation'));
  await expect.poll(articles).toEqual([]);
});

it('stops a response, shows an error, and copies a request as code without the key', async () => {
  const upstream = await startUpstream(endlessResponse());
  const { user, key } = await openPlayground(upstream);
  sendQuestion('Tell me a story');
  await screen.findByText('Once upon a time');
  await user.click(await findButton('Stop'));
  await screen.findByText('Stopped');
  upstream.handler = rejectRequest;
  sendQuestion('And now?');
  await expectAlert('this cannot be asked');
  await user.click(screen.getAllByRole('button', { name: 'Copy as code' })[0] as HTMLElement);
  await user.click(await screen.findByRole('menuitem', { name: 'curl' }));
  await screen.findByText('Copied');
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain(`${window.location.origin}/v1/chat/completions`);
  expect(copied).toContain('Tell me a story');
  expect(copied).not.toContain(key);
});

it('[A46.2] shows text that is too slow to parse as Markdown as plain text, and stays responsive', async () => {
  const upstream = await startUpstream(respondWith(''));
  const { user } = await openPlayground(upstream);
  for (const text of [
    `${'> '.repeat(20_000)}the end`,
    `${'_'.repeat(30_000)}the end`,
    `${'a'.repeat(50_000)}@ the end`,
  ]) {
    upstream.handler = respondWith(text);
    sendQuestion('Be evil');
    await expect.poll(() => document.querySelector('article pre')?.textContent).toContain('the end');
    await expect.poll(lastText).toContain('12 tokens in, 34 out');
    upstream.handler = respondWith('I am **well** again');
    sendQuestion('And now?');
    await screen.findByText('well', { selector: 'strong' });
    await user.click(await findButton('New conversation'));
    await expect.poll(articles).toEqual([]);
  }
});

it('[A46.3] cancels the upstream request when the page is left', async () => {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const { user } = await openPlayground(await startUpstream(endlessResponse(resolve)), { navigation: true });
  sendQuestion('Tell me a story');
  await screen.findByText('Once upon a time');
  await user.click(screen.getByRole('link', { name: 'Tokens' }));
  await expectAddress('/token');
  await left;
});

it('[A46.4] does not add the late cost of a cleared conversation to the next one', async () => {
  const upstream = await startUpstream(endlessResponse());
  const { user, network } = await openPlayground(upstream);
  const { promise: knowsCost, resolve } = Promise.withResolvers<void>();
  network.route('GET', '/api/log/self/', async (forward) => {
    const response = await forward();
    if ((await response.clone().text()).includes('"quota"')) resolve();
    return response;
  });
  sendQuestion('Tell me a story');
  await screen.findByText('Once upon a time');
  upstream.handler = rejectRequest;
  await user.click(await findButton('New conversation'));
  sendQuestion('Another story');
  await expectAlert('this cannot be asked');
  await knowsCost;
  upstream.handler = respondWith('well');
  sendQuestion('And now?');
  await expect.poll(lastText).toContain('34 out');
  expect(articles()[0]?.textContent).not.toContain('cost');
});
