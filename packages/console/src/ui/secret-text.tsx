import { ActionIcon, Code, Group } from '@mantine/core';
import { IconCopy, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useWords } from '../i18n/translate.ts';
import styles from './secret-text.module.css';

interface SecretTextProps {
  readonly text: string;
  /** How many characters show at each end while it is hidden. */
  readonly shown?: number;
  /** Absent: copying is offered beside it. */
  readonly onCopy?: () => void;
}

/** A secret, masked until asked for. */
export function SecretText({ text, shown = 5, onCopy }: SecretTextProps) {
  const { t } = useWords();
  const [isRevealed, setRevealed] = useState(false);
  const Icon = isRevealed ? IconEyeOff : IconEye;
  const revealWords = isRevealed ? t('Hide key') : t('Show key');
  const copyWords = t('Copy key');
  return (
    <Group gap={2} wrap="nowrap">
      <Code fz="xs" className={styles[isRevealed ? 'whole' : 'masked'] ?? ''}>
        {isRevealed ? text : `${text.slice(0, shown)}…${text.slice(-4)}`}
      </Code>
      <ActionIcon
        variant="subtle"
        color="gray"
        title={revealWords}
        aria-label={revealWords}
        onClick={() => setRevealed(!isRevealed)}
      >
        <Icon size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
      {onCopy && (
        <ActionIcon variant="subtle" color="gray" title={copyWords} aria-label={copyWords} onClick={onCopy}>
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
