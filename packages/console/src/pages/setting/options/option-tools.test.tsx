import { role, statusApi } from '@headgate/contract';
import { asRoot, createTestUser, Mailbox, rootAccount, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { Network } from '../../../testing/network.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findTabPanel, messages } from '../../../testing/page.ts';

async function openTab(tab: string, network = new Network(), navigation = false) {
  const as = await createTestUser(await gatewayUrl(), { role: role.admin });
  const opened = await openConsole(`/setting?tab=${tab}`, { as, network, navigation });
  await findTabPanel();
  return opened;
}

describe('log cleanup', () => {
  it('[S2.197 S7.65 S8.11 S8.23 S9.35] deletes logs older than the given time after a confirmation, and reports the result', async () => {
    const network = new Network();
    const { user } = await openTab('operation&topic=log', network);
    const before = screen.getByLabelText<HTMLInputElement>('Delete logs before').value;
    const timestamp = Date.parse(`${before.replace(' ', 'T')}Z`) / 1000;
    expect(Math.abs(Date.now() / 1000 - 30 * 24 * 3600 - timestamp)).toBeLessThan(600);
    const clean = async () => {
      await user.click(await findButton('Clean logs'));
      await user.click(await findButton('Delete logs'));
    };
    await clean();
    await expectMessage(/^\d+ logs? cleaned/, 'success');
    expect(network.sent('DELETE', '/api/log/').map(({ query }) => query)).toEqual([
      { target_timestamp: String(timestamp) },
    ]);
    network.route('DELETE', '/api/log/', () => Response.json({ success: true, message: '', data: 17 }));
    await clean();
    await expectMessage('17 logs cleaned', 'success');
    network.route('DELETE', '/api/log/', () => Response.json({ success: false, message: 'disk full' }));
    await clean();
    await expectMessage('Log cleanup failed: disk full');
  });
});

describe('update check', () => {
  it('[S8.34 S8.35 S2.189 S7.66 S3.27] the update check reports the latest version, shows a newer one, and sends no credentials', async () => {
    const network = new Network();
    const inits: (RequestInit | undefined)[] = [];
    let tag = '';
    const { user } = await openTab('other&topic=personal', network);
    const { fetch: send } = globalThis;
    globalThis.fetch = (address, init) => {
      if (!String(address).startsWith('https://api.github.com/')) return send(address, init);
      inits.push(init);
      const body = '# Notes\n<script>window.hacked = true</script>';
      return Promise.resolve(Response.json({ tag_name: tag, body }));
    };
    const { version } = await (await asRoot(await gatewayUrl())).call(statusApi.status);
    for (const latest of ['', version]) {
      tag = latest;
      await user.click(await findButton('Check for updates'));
      await expectMessage('Already latest version');
      await expect.poll(() => messages()).toEqual([]);
    }
    tag = 'v99.0.0';
    await user.click(await findButton('Check for updates'));
    const dialog = within(await screen.findByRole('dialog', { name: 'New version: v99.0.0' }));
    await dialog.findByRole('heading', { name: 'Notes' });
    expect(document.querySelector('[role="dialog"] script')).toBeNull();
    expect(inits.map((init) => init?.credentials)).toEqual(['omit', 'omit', 'omit']);
  });
});

describe('owner content', () => {
  it('[S1.18 S2.43 S2.190 S2.195] custom content takes effect immediately, and scripts in the footer do not run', async () => {
    const { user } = await openTab('other', new Network(), true);
    try {
      fill(screen.getByLabelText('System name'), 'My gate');
      await user.click(await findButton('Save changes'));
      await within(screen.getByRole('banner')).findByRole('link', { name: 'My gate' });
      fill(screen.getByLabelText('Footer'), '<b>Ours</b><img src=x onerror="window.hacked = true">');
      await user.click(await findButton('Save changes'));
      const footer = screen.getByRole('contentinfo');
      expect((await within(footer).findByText('Ours')).tagName).toBe('B');
      expect(footer.querySelector('[onerror]')).toBeNull();
    } finally {
      await setOption(await gatewayUrl(), 'SystemName', 'Headgate');
      await setOption(await gatewayUrl(), 'Footer', '');
    }
  });
});

describe('test email', () => {
  it('[S2.182] sending a test email shows whether the SMTP settings work', async () => {
    const url = await gatewayUrl();
    const box = await Mailbox.start();
    await setOption(url, 'SMTPServer', '127.0.0.1');
    await setOption(url, 'SMTPPort', String(box.port));
    await setOption(url, 'SMTPFrom', 'gateway@example.com');
    try {
      const { user } = await openConsole('/setting?tab=system&topic=smtp', { as: rootAccount });
      const address = await screen.findByRole('textbox', { name: 'Test email recipient' });
      fill(address, '');
      await user.click(await findButton('Send test email'));
      expect(address.getAttribute('aria-invalid')).toBe('true');
      fill(address, 'me@example.com');
      await user.click(await findButton('Send test email'));
      await expectMessage('Test email sent to me@example.com');
      expect(await box.mailTo('me@example.com')).toMatchObject({ subject: 'Headgate: test email' });
      await box.close();
      await user.click(await findButton('Send test email'));
      await screen.findByText(/The mail could not be sent: .*ECONNREFUSED/);
    } finally {
      await setOption(url, 'SMTPServer', '');
      await setOption(url, 'SMTPPort', '587');
      await setOption(url, 'SMTPFrom', '');
    }
  });
});

describe('unsaved changes', () => {
  const bar = () => screen.queryByRole('region', { name: 'Unsaved changes' });

  it('unsaved changes are kept and counted across tabs, and are saved or discarded together', async () => {
    const url = await gatewayUrl();
    const { user, network } = await openConsole('/setting?tab=operation&topic=operation', { as: rootAccount });
    try {
      fill(await screen.findByRole('textbox', { name: 'Retry times' }), '2');
      await expect.poll(() => bar()?.textContent).toContain('1 unsaved change');
      await user.click(screen.getByRole('tab', { name: 'Other settings' }));
      fill(await screen.findByLabelText('System name'), 'Two tabs');
      await expect.poll(() => bar()?.textContent).toContain('2 unsaved changes');
      expect(bar()?.textContent).toContain('General · Personalization');
      await user.click(screen.getByRole('tab', { name: 'Operation settings' }));
      expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Retry times' })).value).toBe('2');
      await user.click(await findButton('Save changes'));
      await expectMessage('Operation completed successfully');
      await expect.poll(bar).toBeNull();
      const sent = network.sent('PUT', '/api/option/').map(({ body }) => body);
      expect(sent).toHaveLength(2);
      expect(sent).toEqual(
        expect.arrayContaining([
          { key: 'RetryTimes', value: '2' },
          { key: 'SystemName', value: 'Two tabs' },
        ]),
      );
    } finally {
      await setOption(url, 'SystemName', 'Headgate');
      await setOption(url, 'RetryTimes', '0');
    }
    await openConsole('/setting?tab=other&topic=personal', { as: rootAccount });
    const name = await screen.findByLabelText<HTMLInputElement>('System name');
    fill(name, 'Never saved');
    await user.click(await findButton('Discard'));
    await expect.poll(() => name.value).toBe('Headgate');
    expect(bar()).toBeNull();
  });

  it('unsaved changes are saved with Enter, and navigation requires a confirmation', async () => {
    const { user, network } = await openConsole('/setting?tab=system&topic=general', {
      as: rootAccount,
      navigation: true,
    });
    try {
      const field = (await screen.findAllByLabelText('Server address'))[0] as HTMLElement;
      fill(field, 'https://gate.example');
      await user.type(field, '{Enter}');
      await expectMessage('Operation completed successfully');
      expect(network.sent('PUT', '/api/option/')).toHaveLength(1);
    } finally {
      await setOption(await gatewayUrl(), 'ServerAddress', '');
    }
    await user.click(screen.getByRole('tab', { name: 'Other settings' }));
    const name = await screen.findByLabelText<HTMLInputElement>('System name');
    fill(name, 'Never saved');
    await user.click(screen.getByRole('link', { name: 'Channels' }));
    await user.click(await findButton('Keep editing'));
    expect(name.value).toBe('Never saved');
    await expectAddress('/setting?tab=other&topic=personal');
  });
});
