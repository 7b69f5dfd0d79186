import { type Token, tokenApi, tokenStatus } from '@headgate/contract';
import { setOption, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import {
  chooseAction,
  expectAddress,
  expectInRow,
  expectRows,
  fill,
  findButton,
  findRow,
  rowNames,
} from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `token-${index + 1}` }));

describe('token list', () => {
  it('[S2.14 S7.46 S2.137 S2.129] shows own tokens, newest first, with masked keys', async () => {
    const { owner, tokens } = await createTokenOwner({ name: 'old' }, { name: 'new' });
    const { user, network } = await openConsole('/token', { as: owner });
    await expectRows(['new', 'old']);
    await screen.findByRole('heading', { level: 1, name: /^Tokens/ });
    expect(network.sent('GET', '/api/token/')[0]?.query).toMatchObject({ p: '0', order: '' });
    const key = `sk-${tokens[0]?.key}`;
    const row = within(await findRow('old'));
    row.getByText(/^sk-..…....$/);
    expect(document.body.textContent).not.toContain(key);
    await user.click(row.getByRole('button', { name: 'Show key' }));
    within(await screen.findByRole('dialog')).getByText(key);
    expect(document.body.textContent).not.toContain(tokens[1]?.key);
  });

  it('[S2.128 S7.47] searches by name, and shows all tokens for an empty search', async () => {
    const { owner } = await createTokenOwner({ name: 'Production' }, { name: 'laptop' }, { name: '50%_off' });
    const { user, network } = await openConsole('/token', { as: owner });
    const box = await screen.findByRole('searchbox', { name: 'Search by name' });
    const search = async (keyword: string) => {
      fill(box, keyword);
      await user.type(box, '{Enter}');
    };
    await search(' PROD ');
    await expectRows(['Production']);
    await search('%_');
    await expectRows(['50%_off']);
    expect(network.sent('GET', '/api/token/search').map(({ query }) => query['keyword'])).toEqual(['PROD', '%_']);
    await expectAddress('/token?keyword=%25_');
    await search('nothing of the kind');
    await screen.findByText('No results');
    network.calls.length = 0;
    await search('');
    await expectAddress('/token');
    await expect.poll(rowNames).toHaveLength(3);
    expect(network.sent('GET', '/api/token/search')).toEqual([]);
  });

  it('[S2.129 S7.46] the token list is sorted by default order, remaining quota or used quota', async () => {
    const { owner } = await createTokenOwner(
      { name: 'middle', remain_quota: 200 },
      { name: 'most', remain_quota: 300 },
      { name: 'least', remain_quota: 100 },
    );
    const { user, network } = await openConsole('/token', { as: owner });
    const order = await screen.findByRole('combobox', { name: 'Sort order' });
    const labels = within(order).getAllByRole('option');
    expect(labels.map(({ textContent }) => textContent)).toEqual(['Default order', 'Remaining quota', 'Used quota']);
    for (const [label, value, expected] of [
      ['Remaining quota', 'remain_quota', ['most', 'middle', 'least']],
      ['Used quota', 'used_quota', ['least', 'most', 'middle']],
      ['Default order', '', ['least', 'most', 'middle']],
    ] as const) {
      await user.selectOptions(order, label);
      await expectRows(expected);
      await expectAddress(value ? `/token?order=${value}` : '/token');
      await expect
        .poll(() => network.sent('GET', '/api/token/').some(({ query }) => query['order'] === value))
        .toBe(true);
    }
  });

  it('[S4.18 S2.135] shows the four statuses with counts in the quick filter', async () => {
    const { owner, tokens } = await createTokenOwner(
      { name: 'works' },
      { name: 'switched-off' },
      { name: 'too-late' },
      { name: 'spent', remain_quota: 0 },
    );
    const client = await signedInClient(await gatewayUrl(), owner);
    await client.call(tokenApi.update, { query: { status_only: 'true' }, body: { id: tokens[1]?.id ?? 0, status: 2 } });
    // The gateway rejects an expiry in the past.
    const network = new Network();
    network.change('GET', '/api/token/', (rows: readonly Token[]) =>
      rows.map((row) => (row.name === 'too-late' ? { ...row, status: tokenStatus.expired } : row)),
    );
    const { user } = await openConsole('/token', { as: owner, network });
    await expectInRow('works', 'Enabled');
    await expectInRow('switched-off', 'Disabled');
    await expectInRow('too-late', 'Expired');
    await expectInRow('spent', 'Exhausted');
    await user.click(screen.getByText('Exhausted 1'));
    await expectAddress('/token?status=4');
    await expectRows(['spent']);
  });

  it('[S3.26 S9.12 S9.13 S9.14 S9.15 S9.16] shows quota in dollars, or in points when currency display is off', async () => {
    const url = await gatewayUrl();
    const { owner } = await createTokenOwner(
      { name: 'plain', remain_quota: 9876 },
      { name: 'thousands', remain_quota: 12_345 },
      { name: 'millions', remain_quota: 1_510_000 },
      { name: 'billions', remain_quota: 2_040_000_000 },
      { name: 'endless', unlimited_quota: true },
    );
    const expectQuotas = async (quotas: Readonly<Record<string, string>>) => {
      await openConsole('/token', { as: owner });
      for (const [name, quota] of Object.entries(quotas)) await expectInRow(name, quota);
    };
    await expectQuotas({ plain: '$0.02', millions: '$3.02', billions: '$4,080.00', endless: 'Unlimited' });
    try {
      await setOption(url, 'QuotaPerUnit', '1000000');
      await expectQuotas({ millions: '$1.51' });
      await setOption(url, 'DisplayInCurrencyEnabled', 'false');
      await expectQuotas({
        plain: '9876',
        thousands: '12.3k',
        millions: '1.5M',
        billions: '2.0B',
        endless: 'Unlimited',
      });
    } finally {
      await setOption(url, 'QuotaPerUnit', '500000');
      await setOption(url, 'DisplayInCurrencyEnabled', 'true');
    }
  });

  it('shows why loading failed, and reloads on retry', async () => {
    const { owner } = await createTokenOwner({ name: 'there' });
    const network = new Network();
    const remove = network.fail('GET', '/api/token/', 400, 'resting');
    const { user } = await openConsole('/token', { as: owner, network });
    await screen.findByText('The list could not be loaded');
    await within(screen.getByRole('main')).findByText('resting');
    remove();
    await user.click(await findButton('Try again'));
    await expectRows(['there']);
  });

  it('shows cards with all actions in one menu on a phone', async () => {
    const { owner } = await createTokenOwner({ name: 'pocket' });
    const { user } = await openConsole('/token', { as: owner, width: 390 });
    const card = await findRow('pocket', 'listitem');
    within(card).getByText('Enabled');
    expect(screen.queryByRole('table')).toBeNull();
    await user.click(await findButton('More actions for pocket'));
    for (const name of ['Copy key', 'Copy for', 'Open chat in', 'Edit', 'Disable', 'Delete'])
      await screen.findByRole('menuitem', { name });
  });
});

describe('pages of the token list', () => {
  const pager = () => screen.queryAllByRole('button', { name: /^Page \d+$/ }).map(({ textContent }) => textContent);

  it('[S9.17] the pager shows one page on each side of the current one', async () => {
    const { owner } = await createTokenOwner(...many(91));
    const { user } = await openConsole('/token?page=5', { as: owner });
    await screen.findByText('41–50 of 91');
    expect(pager()).toEqual(['1', '4', '5', '6', '10']);
    await user.click(await findButton('Next page'));
    await expectAddress('/token?page=6');
    await expect.poll(pager).toEqual(['1', '5', '6', '7', '10']);
  });

  it('shows no empty page for an exact multiple of ten, and redirects a page past the end to the last page', async () => {
    const { owner } = await createTokenOwner(...many(20));
    await openConsole('/token?page=2', { as: owner });
    await screen.findByText('11–20 of 20');
    expect(pager()).toEqual(['1', '2']);
    expect(await findButton('Next page')).toHaveProperty('disabled', true);
    await openConsole('/token?page=3', { as: owner });
    await expectAddress('/token?page=2');
    await expect.poll(rowNames).toHaveLength(10);
  });

  it('[S9.7] loads pages one by one if the server sends no total, and drops an empty page', async () => {
    const { owner } = await createTokenOwner(...many(20));
    const network = new Network();
    network.route('GET', '/api/token/', async (forward) => {
      const response = await forward();
      const headers = new Headers(response.headers);
      headers.delete('x-total-count');
      return Response.json(await response.json(), {
        headers: [...headers].filter(([name]) => !name.startsWith('content-')),
      });
    });
    const { user } = await openConsole('/token', { as: owner, network });
    await expect.poll(pager).toEqual(['1', '2']);
    await user.click(await findButton('Page 2'));
    await expect.poll(rowNames).toContain('token-1');
    // Pages are not prefetched.
    expect(network.sent('GET', '/api/token/').map(({ query }) => query['p'])).toEqual(['0', '1']);
    await expect.poll(pager).toEqual(['1', '2', '3']);
    await user.click(await findButton('Page 3'));
    await expect.poll(pager).toEqual(['1', '2']);
    await expectAddress('/token?page=2');
    await expect.poll(rowNames).toContain('token-1');
  });

  it('keeps page, order and keyword on reload and after cancelling a form, and remembers the page size', async () => {
    const { owner } = await createTokenOwner(...many(25));
    const address = '/token?page=2&keyword=token&order=remain_quota';
    const { user } = await openConsole(address, { as: owner });
    await screen.findByText('11–20 of 25');
    expect(screen.getByRole('searchbox')).toHaveProperty('value', 'token');
    expect(screen.getByRole('combobox', { name: 'Sort order' })).toHaveProperty('value', 'remain_quota');
    await expect.poll(rowNames).toHaveLength(10);
    const [first = ''] = rowNames();
    await chooseAction(user, first, 'Edit');
    await user.click(await screen.findByRole('link', { name: 'Cancel' }));
    await expectAddress(address);
    await expect.poll(rowNames).toContain(first);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '20');
    await screen.findByText('1–20 of 25');
    await openConsole('/token', { as: owner });
    await screen.findByText('1–20 of 25');
  });
});
