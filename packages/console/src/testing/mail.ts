import type { OptionKey } from '@headgate/contract';
import { Mailbox, setOption } from '@headgate/testkit';
import { onTestFinished } from 'vitest';
import { gatewayUrl } from './gateway.ts';

// In this order, because the mail server cannot be removed while verification requires it.
const defaults = {
  EmailVerificationEnabled: 'false',
  SMTPServer: '',
  SMTPPort: '587',
  SMTPFrom: '',
  ServerAddress: '',
};

/** Connects the worker's gateway to a new mailbox until the test ends. */
export async function receiveMail(options: Readonly<Partial<Record<OptionKey, string>>> = {}): Promise<Mailbox> {
  const url = await gatewayUrl();
  const box = await Mailbox.start();
  const set = async (values: object) => {
    for (const [key, value] of Object.entries(values)) await setOption(url, key as OptionKey, value);
  };
  onTestFinished(async () => {
    await set(defaults);
    await box.close();
  });
  await set({ SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com', ...options });
  return box;
}

/** Verification code in the first email to this address. */
export async function codeSentTo(box: Mailbox, address: string): Promise<string> {
  const { text } = await box.mailTo(address);
  return /^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? '';
}
