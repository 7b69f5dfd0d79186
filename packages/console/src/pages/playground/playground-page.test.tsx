import type { UpstreamHandler } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { expectAddress, fill, findButton } from '../../testing/page.ts';
import { deltaEvent, openPlayground, sendQuestion, streamEvent } from '../../testing/playground.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';
import { startUpstream } from '../../testing/upstream.ts';

/** Responds in Markdown with the name of the model. */
const respondWithModelName: UpstreamHandler = (response, { body }) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(deltaEvent({ content: `I am **${String(body['model'])}**` }));
  response.write(streamEvent({ id: 'x', choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } }));
  response.end('data: [DONE]\n\n');
};

const expectResponse = (model: string) =>
  expect
    .poll(() => screen.queryByRole('article', { name: `Response from ${model}` })?.querySelector('strong')?.textContent)
    .toBe(model);

it('compares two models on a prompt with an image, with collapsed settings on a phone', async () => {
  const upstream = await startUpstream(respondWithModelName);
  const { user } = await openPlayground(upstream, { width: phoneWindowWidth });
  expect(screen.queryByRole('button', { name: 'Compare two models' })).toBeNull();
  const settings = within(screen.getByRole('complementary', { name: 'Settings' }));
  await expect.poll(() => settings.getByRole('button').textContent).toContain('gpt-4o');
  await user.click(settings.getByRole('button'));
  await user.click(await findButton('Compare two models'));
  const second = await screen.findByRole('combobox', { name: 'Second model' });
  await user.click(second);
  const options = await screen.findAllByRole('option', { name: 'gpt-4o-mini' });
  fireEvent.click(options.at(-1) as HTMLElement);
  await expect.poll(() => second).toHaveProperty('value', 'gpt-4o-mini');
  const image = new File([Uint8Array.from([0x89, 0x50])], 'dot.png', { type: 'image/png' });
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, image);
  await screen.findByRole('img', { name: 'Image 1' });
  sendQuestion('What is this?');
  await expectResponse('gpt-4o');
  await expectResponse('gpt-4o-mini');
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVA=' } },
  ];
  expect(upstream.received.map(({ body }) => body['messages'])).toEqual([
    [{ role: 'user', content }],
    [{ role: 'user', content }],
  ]);
});

it('[A46.5] rejects a value that is not a number instead of sending the request without it', async () => {
  const upstream = await startUpstream(respondWithModelName);
  await openPlayground(upstream);
  const temperature = screen.getByLabelText('Temperature');
  for (const text of ['0,5', '1e999', 'Infinity', 'warm']) {
    fill(temperature, text);
    await screen.findByText('Not a number');
    sendQuestion('How warm?');
    expect(await findButton('Send')).toHaveProperty('disabled', true);
  }
  fill(temperature, '0.5');
  sendQuestion('How warm?');
  await expectResponse('gpt-4o');
  expect(upstream.received.map(({ body }) => body['temperature'])).toEqual([0.5]);
});

it('shows users without an active token a link to the token form', async () => {
  const { owner } = await createTokenOwner();
  const { user } = await openConsole('/playground', { as: owner });
  await user.click(await screen.findByRole('link', { name: 'Add token' }));
  await expectAddress('/token/add');
});
