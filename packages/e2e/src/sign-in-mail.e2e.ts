import { MailBox } from '@headgate/testkit';
import { rootAccount, setOption, signInAs } from './people.ts';
import { expect, test } from './product.ts';

test('[S2.182] an admin sees with a test mail whether the SMTP settings work', async ({ page, product }) => {
  const box = await MailBox.start();
  await setOption(product.url, 'SMTPServer', '127.0.0.1');
  await setOption(product.url, 'SMTPPort', String(box.port));
  await setOption(product.url, 'SMTPFrom', 'gateway@example.com');
  await signInAs(page, rootAccount);
  await page.goto('/setting?tab=system');
  const send = page.getByRole('button', { name: 'Send a test mail' });
  const address = page.getByRole('textbox', { name: 'Send a test mail to' });
  await address.fill('');
  await send.click();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await address.fill('me@example.com');
  await send.click();
  await expect(page.getByText('Test mail sent to me@example.com')).toBeVisible();
  expect(await box.mailTo('me@example.com')).toMatchObject({ subject: 'Headgate: test mail' });
  await box.close();
  await send.click();
  await expect(page.getByText(/^The mail could not be sent: .*ECONNREFUSED/)).toBeVisible();
});
