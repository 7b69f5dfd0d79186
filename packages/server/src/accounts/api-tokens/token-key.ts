import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 48;

/** A key nobody can guess; every character is equally likely. */
export const createTokenKey = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** Whether it may be one of ours. Those brought along from One API are of the same letters, its oldest 32 of them. */
export const isTokenKey = (text: string): boolean => /^[0-9A-Za-z]{32,64}$/.test(text);
