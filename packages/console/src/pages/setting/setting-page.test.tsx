import { type OptionKey, optionKeys, optionRow, optionSections, optionTabs, role } from '@headgate/contract';
import { type Account, createTestUser, rootAccount } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, findSection, findTabPanel } from '../../testing/page.ts';

const admin = async () => createTestUser(await gatewayUrl(), { role: role.admin });
const tabNames = () => screen.queryAllByRole('tab').map(({ textContent }) => textContent);

/** Options from the specification, each with its check id. */
const controls = (element: HTMLElement, label: string) =>
  within(element).getAllByLabelText<HTMLInputElement>((name) => name === label || name === `${label} (US dollars)`);

const openTab = async (tab: string, account: Account) => {
  const opened = await openConsole(`/setting?tab=${tab}`, { as: account });
  return { ...opened, panel: await findTabPanel() };
};

describe('setting tabs', () => {
  it('[S2.22 S2.167 S6.5] a common user sees only personal settings', async () => {
    await openConsole('/setting?tab=system', { as: await createTestUser(await gatewayUrl()) });
    await screen.findByRole('tab', { name: 'Personal settings' });
    expect(tabNames()).toEqual(['Personal settings']);
  });

  it('[S2.168 S2.169 S2.170] an admin sees all setting tabs, and the URL contains the open one', async () => {
    const account = await admin();
    const { user } = await openTab('operation', account);
    expect(tabNames()).toEqual(['Personal settings', 'Operation settings', 'System settings', 'Other settings']);
    await user.click(screen.getByRole('tab', { name: 'Other settings' }));
    await expectAddress('/setting?tab=other&topic=personal');
    await openConsole('/setting?tab=other', { as: account });
    const tab = await screen.findByRole('tab', { name: 'Other settings' });
    expect(tab.getAttribute('aria-selected')).toBe('true');
    await openConsole('/setting?tab=operation', { as: await createTestUser(await gatewayUrl()) });
    await expect.poll(tabNames).toEqual(['Personal settings']);
  });

  const expectSections = async (sections: Readonly<Record<string, readonly string[]>>) => {
    for (const [name, labels] of Object.entries(sections)) {
      const section = await findSection(name);
      for (const label of labels) controls(section, label);
    }
  };

  it('[S2.196 S2.197 S2.198 S2.199 S2.200] operation: shows its sections in order', async () => {
    const { panel } = await openTab('operation', await admin());
    const headings = within(panel).getAllByRole('heading', { level: 2 });
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      'General',
      'Logs',
      'Monitoring',
      'Quota',
      'Ratios',
      'Payments',
    ]);
    await expectSections({
      General: ['Top-up link', 'Chat link', 'Quota per dollar', 'Retry times'],
      Logs: ['Delete logs before'],
      Monitoring: ['Max response time (seconds)'],
      Quota: ['New-user initial quota'],
      Ratios: ['Model ratio', 'Completion ratio', 'Group ratio'],
    });
  });

  it('[S2.179 S2.180 S2.181 S2.182 S2.187] system: shows address, login, mail and bot check', async () => {
    await openTab('system', await admin());
    await expectSections({
      General: ['Server address'],
      'Login and registration': ['Allow password login', 'Allow new users to register'],
      'Email domain whitelist': ['Restrict email domains', 'Allowed email domains'],
      SMTP: ['SMTP server', 'SMTP port', 'SMTP account', 'Sender address', 'SMTP password or token'],
      'Bot check': ['Turnstile site key', 'Turnstile secret key'],
    });
  });

  it('[S2.183 S2.184 S2.185 S2.186] system: shows the sign-in providers and the message pusher', async () => {
    await openTab('system', await admin());
    await expectSections({
      'GitHub OAuth app': ['GitHub client ID', 'GitHub client secret'],
      'Lark login': ['Lark app ID', 'Lark app secret'],
      'WeChat server': ['WeChat server address', 'WeChat server token', 'WeChat account QR code image URL'],
      'Message pusher': ['Message pusher address', 'Message pusher token'],
    });
  });

  it('[S2.188 S2.191 S2.192 S2.193 S2.194 S2.195] other: shows names, images and texts', async () => {
    await openTab('other', await admin());
    for (const name of ['System name', 'Logo URL', 'Notice', 'Home page content', 'About', 'Footer'])
      expect(screen.getByRole('textbox', { name })).toHaveProperty('disabled', false);
    expect(screen.getByRole('combobox', { name: 'Theme' })).toHaveProperty('disabled', false);
  });
});

/** Options from the specification, each with its check id. */
const specified: readonly OptionKey[] = [
  ...(['PasswordLoginEnabled', 'PasswordRegisterEnabled', 'RegisterEnabled'] as const),
  ...(['EmailVerificationEnabled', 'EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'] as const),
  ...(['GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret', 'LarkClientId', 'LarkClientSecret'] as const),
  ...(['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'] as const),
  ...(['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'] as const),
  ...(['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken'] as const),
  ...(['MessagePusherAddress', 'MessagePusherToken'] as const),
  ...(['Notice', 'ServerAddress', 'Footer', 'About', 'SystemName', 'Logo', 'HomePageContent'] as const),
  ...(['Theme', 'TopUpLink', 'ChatLink'] as const),
  ...(['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee', 'QuotaRemindThreshold'] as const),
  ...(['PreConsumedQuota', 'QuotaPerUnit', 'ModelRatio', 'CompletionRatio', 'GroupRatio'] as const),
  ...(['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled', 'ChannelDisableThreshold'] as const),
  ...(['LogConsumeEnabled', 'DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled'] as const),
  ...(['ApproximateTokenEnabled', 'RetryTimes'] as const),
];

const hint = 'Only a super admin can change this setting.';
const keysOf = (tab: string) => optionKeys.filter((key) => optionSections[optionRow(key).section].tab === tab);

/** The hint that describes the read-only fields around a control. */
function reasonOf(control: Element | undefined): string | null | undefined {
  const hintId = control?.closest('fieldset')?.getAttribute('aria-describedby');
  return hintId ? document.getElementById(hintId)?.textContent : undefined;
}

describe('options', () => {
  it('[S3.45 S3.47 S3.49 S3.50 S3.51 A67.2] every option has a control, which is read-only for an admin if only the super admin may change it', async () => {
    const account = await admin();
    expect(optionKeys).toEqual(expect.arrayContaining([...specified]));
    for (const tab of Object.keys(optionTabs)) {
      const { panel } = await openTab(tab, account);
      const locked = keysOf(tab).filter((key) => optionRow(key).changedBy === 'root');
      for (const key of keysOf(tab)) {
        const [control] = controls(panel, optionRow(key).label);
        expect(control?.matches(':disabled'), key).toBe(locked.includes(key));
        expect(reasonOf(control), key).toBe(locked.includes(key) ? hint : undefined);
      }
    }
  });

  it('[S3.53 A67.2] the super admin can change all options', async () => {
    for (const tab of Object.keys(optionTabs)) {
      const { panel } = await openTab(tab, rootAccount);
      for (const key of keysOf(tab))
        expect(controls(panel, optionRow(key).label)[0]?.matches(':disabled'), key).toBe(false);
      expect(screen.queryByText(hint)).toBeNull();
    }
  });
});
