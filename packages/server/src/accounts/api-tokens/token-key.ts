import { randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 48;

/** Cryptographically random; every character is equally likely. */
export const createTokenKey = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** Checks the format only. Keys imported from One API use the same characters; the oldest ones have 32. */
export const isTokenKey = (text: string): boolean => /^[0-9A-Za-z]{32,64}$/.test(text);

/** Key format for imports that contain only the hash: LiteLLM keys, either generated or custom. */
export const isImportableKey = (text: string): boolean => /^sk-[\x21-\x7e]{1,200}$/.test(text);
