import { channelApi } from '@headgate/contract';
import { createChannel } from './channels.ts';
import { expectFine } from './looks.ts';
import { asRoot, rootAccount, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('[A52.10] asks accessibly about a channel that was changed meanwhile, with the focus on Keep editing', async ({
  page,
  product,
}) => {
  const root = await asRoot(product.url);
  const { id } = await createChannel(product.url);
  await signInAs(page, rootAccount);
  await page.goto(`/channel/edit/${id}`);
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await field.fill('Mine');
  await root.call(channelApi.update, { body: { id, system_prompt: 'Be brief' } });
  await page.getByRole('button', { name: 'Save channel' }).click();
  const question = page.getByRole('dialog', { name: 'This has changed meanwhile' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await expectFine(page, 'the question');
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(field).toHaveValue('Mine');
});
