import { randomBytes } from 'node:crypto';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

export const knownDeviceSeconds = 180 * 24 * 3600;

/** Maximum number of accounts remembered per browser; another one evicts the oldest. */
const maxAccounts = 4;

interface DeviceMark {
  readonly userId: number;
  readonly device: string;
  readonly time: number;
  readonly text: string;
}

/**
 * Cookies that mark browsers in which an account was signed in. They grant no access; they only exempt the owner's
 * device from lockouts caused by others guessing the password.
 */
export class KnownDevices {
  readonly #box: SecretBox;

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Device id, if the user was signed in on this device. */
  find(cookie: string | undefined, userId: number): string | undefined {
    return this.#read(cookie).find((mark) => mark.userId === userId)?.device;
  }

  /** The new cookie value after a sign-in. */
  remember(cookie: string | undefined, userId: number): string {
    const marks = this.#read(cookie);
    const device = marks.find((mark) => mark.userId === userId)?.device ?? randomBytes(12).toString('base64url');
    const others = marks.filter((mark) => mark.userId !== userId).slice(0, maxAccounts - 1);
    return [this.#write(userId, device, nowInSeconds()), ...others.map(({ text }) => text)].join('~');
  }

  #read(cookie: string | undefined): DeviceMark[] {
    const oldest = nowInSeconds() - knownDeviceSeconds;
    return (cookie ?? '')
      .split('~', maxAccounts)
      .map((text) => {
        const [userId = '', device = '', time = ''] = text.split('.');
        return { userId: Number(userId), device, time: Number(time), text };
      })
      .filter(({ userId, device, time, text }) => time >= oldest && text === this.#write(userId, device, time));
  }

  #write(userId: number, device: string, time: number): string {
    return `${userId}.${device}.${time}.${this.#box.fingerprint(`known device\n${userId}\n${device}\n${time}`)}`;
  }
}
