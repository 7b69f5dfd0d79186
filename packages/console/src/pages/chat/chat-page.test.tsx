import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openWithNavigation } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';

const frame = () => document.querySelector('iframe');
const chatEntry = () => screen.queryByRole('link', { name: 'Chat' });

it('[S2.39] without a link, the chat page is blank and has no menu entry', async () => {
  await openWithNavigation('/chat');
  await screen.findByRole('heading', { level: 1, name: 'Chat is not configured' });
  await screen.findByRole('link', { name: 'About' });
  expect(frame()).toBeNull();
  expect(chatEntry()).toBeNull();
});

it('[A63.7 S2.39] does not embed a page of the gateway itself, but keeps its menu entry', async () => {
  await withOption('ChatLink', `${window.location.origin}/about`);
  await openWithNavigation('/chat');
  await screen.findByText(/^The embedded page was blocked/);
  expect(frame()).toBeNull();
  expect(chatEntry()).not.toBeNull();
});
