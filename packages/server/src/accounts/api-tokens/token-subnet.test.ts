import { tokenApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

describe('[S3.40] [S5.34] token subnets', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['203.0.113.5/32', '203.0.113.5/32'],
    ['10.1.2.3/8', '10.1.2.3/8'],
    ['::/0', '::/0'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['2001:DB8::1', '2001:DB8::1'],
    ['fe80::1/128', 'fe80::1/128'],
    ['::ffff:10.0.0.0/104', '::ffff:10.0.0.0/104'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    [' 10.0.0.0/8 ,\t::1 ,', '10.0.0.0/8,::1'],
    ['10.0.0.0/8,10.0.0.0/8, 10.0.0.0/8', '10.0.0.0/8'],
    [',,', ''],
    ['', ''],
  ])('normalizes %j to %j', async (subnet, kept) => {
    const client = await app.as('user');
    const created = await client.call(tokenApi.create, { body: { name: 'network', subnet } });
    expect(created.subnet).toBe(kept);
    await client.call(tokenApi.update, { query: {}, body: { id: created.id, subnet: '' } });
    const changed = await client.call(tokenApi.update, { query: {}, body: { id: created.id, subnet } });
    expect(changed.subnet).toBe(kept);
  });

  test.each([
    ['10.0.0.0/33', '10.0.0.0/33'],
    ['10.0.0.0/-1', '10.0.0.0/-1'],
    ['10.0.0.0/8/8', '10.0.0.0/8/8'],
    ['10.0.0.0/', '10.0.0.0/'],
    ['10.0.0.0/08', '10.0.0.0/08'],
    ['10.0.0.0/8.0', '10.0.0.0/8.0'],
    ['10.0.0.0/1e1', '10.0.0.0/1e1'],
    ['10.0.0.0/ 8', '10.0.0.0/ 8'],
    ['10.0.0.0 /8', '10.0.0.0 /8'],
    ['10.0.0/8', '10.0.0/8'],
    ['10.0.0.256', '10.0.0.256'],
    ['010.0.0.1', '010.0.0.1'],
    ['0x7f.0.0.1', '0x7f.0.0.1'],
    ['2130706433', '2130706433'],
    ['::/129', '::/129'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['fe80::1%eth0/64', 'fe80::1%eth0/64'],
    [':::', ':::'],
    ['[::1]', '[::1]'],
    ['example.com', 'example.com'],
    ['localhost', 'localhost'],
    ['*', '*'],
    ['/8', '/8'],
    ['10.0.0.1-10.0.0.9', '10.0.0.1-10.0.0.9'],
    ['10.0.0.0/8;::1', '10.0.0.0/8;::1'],
    ['10.0.0.0/8, ::1, 10.0.0.0/99 ,bad', '10.0.0.0/99'],
    ['10.0.0.0/8，::1', '10.0.0.0/8，::1'],
  ])('rejects %j and names the entry %j', async (subnet, part) => {
    const client = await app.as('user');
    const message = `Invalid network: ${part}. Enter IP addresses or ranges such as 10.0.0.0/8, separated by commas`;
    const created = await client.send(tokenApi.create, { body: { name: 'network', subnet } });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({ success: false, message });
    expect((await client.page(tokenApi.list, { query: {} })).total).toBe(0);

    const { id } = await client.call(tokenApi.create, { body: { name: 'network', subnet: '::1' } });
    const changed = await client.send(tokenApi.update, { query: {}, body: { id, subnet, name: 'not kept' } });
    expect(changed.body).toEqual({ success: false, message });
    const row = await client.call(tokenApi.get, { params: { id } });
    expect(row).toMatchObject({ name: 'network', subnet: '::1' });
  });

  test('rejects an invalid subnet with an error message in Chinese', async () => {
    const client = await app.as('user');
    const headers = { 'accept-language': 'zh-CN' };
    const { body } = await client.send(tokenApi.create, { body: { name: 'x', subnet: '::1,nowhere' }, headers });
    expect(body).toMatchObject({ message: expect.stringContaining('无效的网段：nowhere') });
  });
});
