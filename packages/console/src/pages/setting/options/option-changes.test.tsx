import { type OptionKey, type OptionSection, optionApi, optionRow, optionSections, role } from '@headgate/contract';
import { type Account, asRoot, createTestUser, rootAccount, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { Network } from '../../../testing/network.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectMessage, fill, findButton, findSection, findTabPanel } from '../../../testing/page.ts';

const path = '/api/option/';

/** Opens one topic, because each change renders all options of the page. */
async function openTopic(topic: OptionSection, account?: Account, network = new Network()) {
  const as = account ?? (await createTestUser(await gatewayUrl(), { role: role.admin }));
  const { tab } = optionSections[topic];
  const opened = await openConsole(`/setting?tab=${tab}&topic=${topic}`, { as, network });
  await findTabPanel();
  return { ...opened, sent: () => network.sent('PUT', path).map(({ body }) => body as { key: string; value: string }) };
}

async function storedOption(key: OptionKey): Promise<string | undefined> {
  const rows = await (await asRoot(await gatewayUrl())).call(optionApi.list, { query: { ratios: 'saved' } });
  return rows.find((row) => row.key === key)?.value;
}

/** Restores options after the work. */
async function keepingOptions(keys: readonly OptionKey[], work: () => Promise<void>): Promise<void> {
  const before = await Promise.all(keys.map(storedOption));
  try {
    await work();
  } finally {
    for (const [index, key] of keys.entries()) await setOption(await gatewayUrl(), key, before[index] ?? '');
  }
}

const save = () => findButton('Save changes');
const isSaveShown = () => screen.queryByRole('button', { name: 'Save changes' }) !== null;
const toggle = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name: new RegExp(`^${name}`) });
const fieldOf = async (section: string, label: string) =>
  within(await findSection(section)).getByLabelText<HTMLInputElement>(label);

describe('option switches', () => {
  it('[S3.44 S4.28 S7.33 S7.34] option switches send the opposite value immediately', async () => {
    await setOption(await gatewayUrl(), 'LogConsumeEnabled', 'true');
    const { user, network, sent } = await openTopic('log');
    expect(network.sent('GET', path)).not.toEqual([]);
    const logs = await toggle('Log every request');
    expect(logs.checked).toBe(true);
    await user.click(logs);
    await expectMessage('Operation completed successfully');
    await expect.poll(() => logs.checked).toBe(false);
    expect(sent()).toEqual([{ key: 'LogConsumeEnabled', value: 'false' }]);
    await user.click(logs);
    await expect.poll(() => logs.checked).toBe(true);
    await expect.poll(() => storedOption('LogConsumeEnabled')).toBe('true');
  });

  it('[S4.29 S4.30 S4.31 S4.32] turning password login off shows a warning, and cancel changes nothing', async () => {
    const { user, network, sent } = await openTopic('login', rootAccount);
    const passwords = await toggle('Allow password login');
    await user.click(passwords);
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText(/locks out every user, admins included, who has no other login method bound/);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(passwords.checked).toBe(true);
    expect(sent()).toEqual([]);
    // Mocked, because the real change would lock out the other tests.
    network.route('PUT', path, () => Response.json({ success: true, message: '' }));
    await user.click(passwords);
    await user.click(await findButton('Turn off'));
    await expect.poll(sent).toEqual([{ key: 'PasswordLoginEnabled', value: 'false' }]);
  });

  it('[S4.33] password login is turned on without confirmation', async () => {
    const network = new Network();
    network.change('GET', path, (rows: readonly { key: string; value: string }[]) =>
      rows.map((row) => (row.key === 'PasswordLoginEnabled' ? { ...row, value: 'false' } : row)),
    );
    network.route('PUT', path, () => Response.json({ success: true, message: '' }));
    const { user, sent } = await openTopic('login', rootAccount, network);
    const passwords = await toggle('Allow password login');
    expect(passwords.checked).toBe(false);
    await user.click(passwords);
    await expect.poll(sent).toEqual([{ key: 'PasswordLoginEnabled', value: 'true' }]);
    await expectMessage('Operation completed successfully');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('an option switch reverts when the server rejects the change, and shows the reason', async () => {
    const { user } = await openTopic('login', rootAccount);
    const github = await toggle('Allow login with GitHub');
    await user.click(github);
    await expectMessage(/GitHub client ID/);
    await expect.poll(() => github.checked).toBe(false);
  });
});

describe('option fields', () => {
  it('[S1.16 S5.21 S5.22] option fields are saved by an admin only if they changed', async () => {
    const { user, sent } = await openTopic('pusher');
    const address = await fieldOf('Message pusher', 'Message pusher address');
    const stored = address.value;
    expect(isSaveShown()).toBe(false);
    fill(address, 'https://other.example');
    await save();
    fill(address, stored);
    await expect.poll(isSaveShown).toBe(false);
    await keepingOptions(['MessagePusherAddress'], async () => {
      fill(address, 'https://gate.example/');
      await user.click(await save());
      await expectMessage('Operation completed successfully');
      await expect.poll(() => address.value).toBe('https://gate.example');
      expect(sent().map(({ key }) => key)).toEqual(['MessagePusherAddress']);
      expect(await storedOption('MessagePusherAddress')).toBe('https://gate.example');
      await expect.poll(isSaveShown).toBe(false);
    });
  });

  it('[S9.9] option fields drop the trailing slash of an address', async () => {
    for (const [topic, key] of [
      ['general', 'ServerAddress'],
      ['wechat', 'WeChatServerAddress'],
      ['pusher', 'MessagePusherAddress'],
    ] as const)
      await keepingOptions([key], async () => {
        const { user } = await openTopic(topic, rootAccount);
        const field = await fieldOf(optionSections[topic].label, optionRow(key).label);
        fill(field, 'https://slash.example/path/');
        await user.click(await save());
        await expect.poll(() => field.value).toBe('https://slash.example/path');
        expect(await storedOption(key)).toBe('https://slash.example/path');
      });
  });

  it('[S3.48 S9.38] option fields never show a secret, and do not send an empty one', async () => {
    const { user, sent } = await openTopic('smtp', rootAccount);
    expect((await fieldOf('SMTP', 'SMTP port')).placeholder).toBe('587');
    await keepingOptions(['SMTPToken'], async () => {
      fill(await fieldOf('SMTP', 'SMTP password or token'), 'mail-secret');
      await user.click(await save());
      await screen.findByText('A value is stored and never shown. Enter a new one to replace it.');
      expect((await fieldOf('SMTP', 'SMTP password or token')).value).toBe('');
      expect(sent()).toEqual([{ key: 'SMTPToken', value: 'mail-secret' }]);
      expect(await storedOption('SMTPToken')).toBe('');
    });
  });

  it('[S5.23 S5.24 S5.25 S3.46] the domain allowlist accepts each domain once, and is saved comma-separated', async () => {
    await keepingOptions(['EmailDomainWhitelist'], async () => {
      await setOption(await gatewayUrl(), 'EmailDomainWhitelist', 'a.example');
      const { user, sent } = await openTopic('whitelist');
      const field = await fieldOf('Email domain whitelist', 'Allowed email domains');
      await user.type(field, '{Enter}');
      await user.type(field, 'a.example{Enter}');
      expect(isSaveShown()).toBe(false);
      await user.type(field, 'b.example{Enter}');
      await user.click(await save());
      await expect.poll(sent).toEqual([{ key: 'EmailDomainWhitelist', value: 'a.example,b.example' }]);
      await expectMessage('Operation completed successfully');
    });
  });

  it('[S5.15 S5.16 S5.17 S5.18 S9.45 S3.52] ratio fields accept only JSON, and show {} as empty', async () => {
    await setOption(await gatewayUrl(), 'ModelRatio', '{}');
    const { user, sent } = await openTopic('ratios');
    const ratios = within(await findSection('Ratios'));
    const box = (label: string) => ratios.getByLabelText<HTMLTextAreaElement>(label);
    expect(box('Model ratio').value).toBe('');
    for (const label of ['Model ratio', 'Completion ratio', 'Group ratio']) {
      const before = box(label).value;
      fill(box(label), '{\n "a": oops\n}');
      await user.click(await save());
      await screen.findAllByText(`${label} is not a valid JSON string`);
      fill(box(label), before);
    }
    expect(sent()).toEqual([]);
    fill(box('Model ratio'), '{"gpt-4o": 1.5}');
    await user.click(await save());
    await expect.poll(sent).toHaveLength(1);
    await expect.poll(() => box('Model ratio').value).toMatch(/"gpt-4o": 1.5/);
    await user.click(within(ratios.getByRole('radiogroup', { name: 'Model ratio: View' })).getByText('Table'));
    await ratios.findByRole('row', { name: /gpt-4o.*\$3/ });
    await setOption(await gatewayUrl(), 'ModelRatio', '{}');
  });

  it('[S9.42 S9.43 S1.17 S9.44] thresholds and the four quotas are saved as numbers', async () => {
    const topics: readonly [
      OptionSection,
      Readonly<Partial<Record<OptionKey, readonly [typed: string, sent: string]>>>,
    ][] = [
      ['monitor', { ChannelDisableThreshold: ['17', '17'], QuotaRemindThreshold: ['5', '2500000'] }],
      [
        'quota',
        {
          QuotaForNewUser: ['2.50', '1250000'],
          PreConsumedQuota: ['0.0015', '750'],
          QuotaForInviter: ['0.002002', '1001'],
          QuotaForInvitee: ['0.002004', '1002'],
        },
      ],
    ];
    for (const [topic, values] of topics) {
      const keys = Object.keys(values) as OptionKey[];
      await keepingOptions(keys, async () => {
        const { user, sent } = await openTopic(topic);
        const field = (key: OptionKey) => new RegExp(`^${RegExp.escape(optionRow(key).label)}`);
        for (const key of keys) fill(screen.getByRole('textbox', { name: field(key) }), values[key]?.[0] ?? '');
        if (topic === 'quota') await screen.findByText('= 1,250,000 points');
        await user.click(await save());
        // Not the message, which the first topic has already shown.
        await expect.poll(isSaveShown).toBe(false);
        const expected = keys.map((key) => ({ key, value: values[key]?.[1] }));
        expect(sent()).toEqual(expect.arrayContaining(expected));
        expect(sent()).toHaveLength(keys.length);
        expect(await Promise.all(keys.map(storedOption))).toEqual(expected.map(({ value }) => value));
      });
    }
  });

  it('[S5.26 S5.27] number fields step by 1 or 0.01', async () => {
    const { user } = await openTopic('operation');
    const number = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
    const retries = number('Retry times');
    await user.clear(retries);
    await user.type(retries, '-3');
    expect(retries.value).toBe('3');
    await user.keyboard('{ArrowUp}');
    expect(retries.value).toBe('4');
    fill(number('Quota per dollar'), '500000');
    await user.click(number('Quota per dollar'));
    await user.keyboard('{ArrowUp}');
    expect(number('Quota per dollar').value).toBe('500000.01');
  });
});
