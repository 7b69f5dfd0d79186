import { ActionIcon, Button, Group } from '@mantine/core';
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { switchLanguage, useTranslation } from '../i18n/translate.ts';
import { useColorScheme } from '../lib/page/color-scheme.ts';

/** Theme and language switches. */
export function Appearance() {
  const { t, language } = useTranslation();
  const { isDark, toggle } = useColorScheme();
  const themeLabel = isDark ? t('Switch to light mode') : t('Switch to dark mode');
  const other =
    language === 'zh' ? ({ code: 'en', name: 'English' } as const) : ({ code: 'zh', name: '中文' } as const);
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={themeLabel} title={themeLabel} onClick={toggle}>
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        fw={500}
        lang={other.code === 'zh' ? 'zh-CN' : 'en'}
        leftSection={<IconLanguage size={18} stroke={1.6} aria-hidden />}
        onClick={() => void switchLanguage(other.code)}
      >
        {other.name}
      </Button>
    </Group>
  );
}
