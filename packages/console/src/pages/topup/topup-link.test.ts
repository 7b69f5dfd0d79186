import { expect, test } from 'vitest';
import { newTransactionId, topUpUrl } from './topup-link.ts';

const buyer = { username: 'wei & co', id: 7 };

test('adds the buyer to the top-up link, and keeps its query parameters', () => {
  expect(topUpUrl('https://shop.example/buy?item=1#pay', buyer, 'x')).toBe(
    'https://shop.example/buy?item=1&username=wei+%26+co&user_id=7&transaction_id=x#pay',
  );
});

test.each(['', 'shop.example', 'javascript:alert(1)', 'data:text/html,x', 'https://', 'mailto:a@b.example'])(
  'rejects %j',
  (link) => {
    expect(topUpUrl(link, buyer, 'x')).toBeUndefined();
  },
);

test('generates a new version 4 UUID each time', () => {
  expect(newTransactionId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newTransactionId()).not.toBe(newTransactionId());
});
