import { useBlocker } from '@tanstack/react-router';
import { translate } from '../i18n/translate.ts';
import { hasUnsavedWork, useUnsaved } from '../lib/page/unsaved.ts';
import { openConfirmation } from './confirm.tsx';

/**
 * Asks for confirmation before leaving a page with unsaved input, by navigation or by closing the tab. Navigation after
 * saving is not affected.
 */
export function useUnsavedWork(isUnsaved: boolean, isSaving: boolean): void {
  const isGuarded = isUnsaved && !isSaving;
  useUnsaved(isUnsaved);
  useBlocker({
    disabled: !isGuarded,
    enableBeforeUnload: isGuarded,
    shouldBlockFn: async ({ current, next }) => current.pathname !== next.pathname && !(await mayDiscard()),
  });
}

/** Runs the action, after confirmation if unsaved input would be lost. */
export async function confirmLeave(go: () => void): Promise<void> {
  if (!hasUnsavedWork() || (await mayDiscard())) go();
}

/** Asks whether unsaved input may be lost. */
export const mayDiscard = (): Promise<boolean> =>
  new Promise((resolve) => {
    openConfirmation({
      title: translate('Leave without saving?'),
      text: translate('Your changes are not saved and will be lost.'),
      cancel: translate('Keep editing'),
      confirm: translate('Discard changes'),
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
