import './app/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startTranslation } from './i18n/translate.ts';

const root = document.getElementById('root');
if (root) {
  await startTranslation();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
