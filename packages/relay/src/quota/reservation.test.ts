import { describe, expect, test } from 'vitest';
import { Account } from './account.ts';
import { Reservation } from './reservation.ts';

const open = (user: Account, points: number, token?: Account) => Reservation.open({ user, token }, points);

const opened = (user: Account, points: number, token?: Account): Reservation => {
  const reservation = open(user, points, token);
  if (typeof reservation === 'string') throw new Error(`not enough: ${reservation}`);
  return reservation;
};

describe('concurrent reservations', () => {
  test('admits ten of 100 requests when the balance covers ten', () => {
    const user = new Account(1000);
    const outcomes = Array.from({ length: 100 }, () => open(user, 100));
    expect(outcomes.filter((outcome) => outcome !== 'user_held')).toHaveLength(10);
    expect(user.held).toBe(1000);
  });

  test('[A68.10] rejects NaN and keeps the balance a number', () => {
    const user = new Account(1000);
    expect(typeof open(user, Number.NaN)).toBe('string');
    expect(user).toMatchObject({ held: 0, free: 1000 });
  });

  test("checks the token's limit, and reserves nothing from the user when the limit is exceeded", () => {
    const user = new Account(1000);
    const token = new Account(150);
    opened(user, 100, token);
    expect(open(user, 100, token)).toBe('token_held');
    expect(open(user, 151, token)).toBe('token');
    expect(user.held).toBe(100);
    expect(open(user, 901)).toBe('user_held');
    expect(open(user, 1001)).toBe('user');
    expect(typeof open(user, 900)).toBe('object');
  });

  test.each([
    ['the maximum cost', 2000, 1000, 1000],
    ['all free points', 700, 1000, 700],
    ['nothing below the minimum cost', 300, 1000, 'user'],
    ['the free points of the token', 2000, 400, 400],
  ])('reserves %s for a request without an output limit', (_, balance, limit, held) => {
    const [user, token] = [new Account(balance), new Account(limit)];
    const reserved = Reservation.open({ user, token }, 1000, 350);
    expect(typeof reserved === 'string' ? reserved : reserved.held).toBe(held);
    const isIn = typeof held === 'number' ? held : 0;
    expect([user.held, token.held]).toEqual([isIn, isIn]);
  });
});

describe('settlement', () => {
  test('replaces the reservation with the price, for both user and token', () => {
    const user = new Account(1000);
    const token = new Account(500);
    opened(user, 400, token).settle(150);
    expect([user.balance, user.held, token.balance, token.held]).toEqual([850, 0, 350, 0]);
  });

  test('refunds the whole reservation when a request is settled with zero', () => {
    const user = new Account(1000);
    opened(user, 400).settle(0);
    expect([user.balance, user.held]).toEqual([1000, 0]);
  });

  test('throws when a request is settled twice, and charges once', () => {
    const user = new Account(1000);
    const reservation = opened(user, 400);
    reservation.settle(100);
    expect(() => reservation.settle(100)).toThrow('already settled');
    expect(user.balance).toBe(900);
  });

  test('a response that exceeds its reservation can make the balance negative once', () => {
    const user = new Account(100);
    opened(user, 100).settle(130);
    expect(user.balance).toBe(-30);
    expect(open(user, 1)).toBe('user');
  });
});

test("extends an in-flight request's reservation until the balance is used up", () => {
  const user = new Account(100);
  const token = new Account(80);
  const reservation = opened(user, 10, token);
  expect(reservation.extendTo(5)).toBe(true);
  expect(reservation.extendTo(80)).toBe(true);
  expect(reservation.extendTo(81)).toBe(false);
  expect([reservation.held, user.held, token.held]).toEqual([80, 80, 80]);
});

test('does not extend a settled reservation', () => {
  const user = new Account(1000);
  const reservation = opened(user, 100);
  reservation.settle(100);
  expect(reservation.extendTo(200)).toBe(false);
  expect([user.balance, user.held]).toEqual([900, 0]);
});

test('keeps unstored charges when the database is read again', () => {
  const user = new Account(1000);
  opened(user, 100).settle(100);
  // A redemption of 500 was stored in the meantime, but the charge was not.
  user.reload(1500);
  expect(user.balance).toBe(1400);
  user.stored(100);
  user.reload(1400);
  expect(user.balance).toBe(1400);
});

describe('plans', () => {
  const plan = { id: 7, name: 'Pro' };
  const payers = (window: Account, user: Account, token: Account) => ({
    paid: { user: undefined, plan, token, budgets: [{ id: 1, account: window }] },
    balance: { user, token },
  });

  test('the balance takes over the whole request when a window cannot cover an extension', () => {
    const [window, user, token] = [new Account(100), new Account(500), new Account(1000)];
    const { paid, balance } = payers(window, user, token);
    const reservation = Reservation.open(paid, 80, 80, balance);
    if (typeof reservation === 'string') throw new Error(reservation);
    expect([reservation.plan, reservation.canExtendTo(400), reservation.canExtendTo(501)]).toEqual([plan, true, false]);
    expect(reservation.extendTo(501)).toBe(false);
    expect([window.held, user.held, token.held]).toEqual([80, 0, 80]);
    expect(reservation.extendTo(400)).toBe(true);
    expect([window.held, user.held, token.held]).toEqual([0, 400, 400]);
    expect([reservation.plan, reservation.budgets]).toEqual([undefined, []]);
    reservation.settle(300);
    expect([window.balance, user.balance, token.balance]).toEqual([100, 200, 700]);
  });

  test('moving to another payer reserves all or nothing, also with a negative balance', () => {
    const [window, user, token] = [new Account(100), new Account(50), new Account(1000)];
    const { paid, balance } = payers(window, user, token);
    const reservation = Reservation.open(paid, 80);
    if (typeof reservation === 'string') throw new Error(reservation);
    expect(reservation.changePayer(balance)).toBe(false);
    expect([window.held, user.held, token.held]).toEqual([80, 0, 80]);
    token.charge(2000);
    expect(reservation.changePayer({ ...paid, budgets: [...paid.budgets] })).toBe(true);
    reservation.settle(0);
    expect([window.held, user.held, token.held]).toEqual([0, 0, 0]);
  });

  test('the last points of a window pay for one of two simultaneous requests', () => {
    const { paid } = payers(new Account(100), new Account(0), new Account(1000));
    expect([typeof Reservation.open(paid, 60), Reservation.open(paid, 60)]).toEqual(['object', 'budget_held']);
  });
});
