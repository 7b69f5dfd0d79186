import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openConsole } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';

it('[S2.25] shows the configured content, or the default', async () => {
  await openConsole('/about');
  await screen.findByText(/^Headgate relays requests/);
  await withOption('About', '## Who we are\n\nA small team.');
  await openConsole('/about');
  await screen.findByRole('heading', { level: 2, name: 'Who we are' });
  expect(screen.queryByText(/^Headgate relays requests/)).toBeNull();
});
