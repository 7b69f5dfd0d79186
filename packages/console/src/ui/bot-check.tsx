import { Box } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { translate, useTranslation } from '../i18n/translate.ts';
import { loadTurnstile, type Turnstile } from '../lib/account/turnstile.ts';
import { useColorScheme } from '../lib/page/color-scheme.ts';
import { showMessage } from '../lib/page/messages.ts';
import { useStatus } from '../lib/page/status.ts';

interface BotCheckControl {
  /** The Turnstile widget, or nothing if the gateway requires no check. */
  readonly widget: ReactNode;
  /** Returns a single-use token. Without one, shows a message and returns undefined. */
  readonly take: () => string | undefined;
}

/** Bot check of a form. Each call that requires it takes a separate token. */
export function useBotCheck(): BotCheckControl {
  const { t } = useTranslation();
  const { turnstile_check, turnstile_site_key } = useStatus();
  const token = useRef('');
  const [round, setRound] = useState(0);
  const keep = useCallback((given: string) => {
    token.current = given;
  }, []);
  const take = () => {
    if (!turnstile_check) return '';
    const taken = token.current;
    if (taken === '') {
      showMessage('warning', t('Please retry in a few seconds, Turnstile is checking the user environment!'));
      return undefined;
    }
    token.current = '';
    setRound((last) => last + 1);
    return taken;
  };
  const widget = turnstile_check ? <Widget siteKey={turnstile_site_key} round={round} onToken={keep} /> : null;
  return { widget, take };
}

interface WidgetProps {
  readonly siteKey: string;
  /** Changing this number requests a new token. */
  readonly round: number;
  readonly onToken: (token: string) => void;
}

function Widget({ siteKey, round, onToken }: WidgetProps) {
  const { t, language } = useTranslation();
  const { isDark } = useColorScheme();
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ turnstile: Turnstile; id: string }>(undefined);
  useEffect(() => {
    const container = element.current;
    if (!container) return;
    let isGone = false;
    const draw = (turnstile: Turnstile) => {
      if (isGone) return;
      const id = turnstile.render(container, {
        sitekey: siteKey,
        theme: isDark ? 'dark' : 'light',
        language: language === 'zh' ? 'zh-cn' : 'en',
        size: 'flexible',
        callback: onToken,
        'expired-callback': () => onToken(''),
        'error-callback': () => onToken(''),
      });
      if (id !== undefined) drawn.current = { turnstile, id };
    };
    const notify = () => showMessage('error', translate('The bot check could not be loaded. Reload the page.'));
    loadTurnstile().then(draw, notify);
    return () => {
      isGone = true;
      onToken('');
      drawn.current?.turnstile.remove(drawn.current.id);
      drawn.current = undefined;
    };
  }, [siteKey, isDark, language, onToken]);
  useEffect(() => {
    if (round > 0) drawn.current?.turnstile.reset(drawn.current.id);
  }, [round]);
  return <Box ref={element} mih={65} role="group" aria-label={t('Bot check')} />;
}
