import { type ModelCapability, modelCapabilities } from '@headgate/contract';
import { Tooltip } from '@mantine/core';
import {
  IconArrowsSort,
  IconBrain,
  IconEye,
  IconFileText,
  IconMicrophone,
  IconPhoto,
  IconPlayerTrackNext,
  IconShieldCheck,
  IconTool,
  IconVectorTriangle,
  IconVolume,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';
import styles from './catalog.module.css';

const icons: Readonly<Record<ModelCapability, TablerIcon>> = {
  vision: IconEye,
  tools: IconTool,
  reasoning: IconBrain,
  streaming: IconPlayerTrackNext,
  audio: IconMicrophone,
  embeddings: IconVectorTriangle,
  rerank: IconArrowsSort,
  images: IconPhoto,
  speech: IconVolume,
  transcription: IconFileText,
  moderation: IconShieldCheck,
};

interface CapabilitiesProps {
  readonly capabilities: readonly ModelCapability[];
}

/** Icons with tooltips; a dash if nothing is known. */
export function CapabilityIcons({ capabilities }: CapabilitiesProps) {
  const { label } = useTranslation();
  if (capabilities.length === 0) return '—';
  return (
    <span className={styles['icons']}>
      {capabilities.map((name) => {
        const Icon = icons[name];
        const text = label(modelCapabilities[name].label);
        return (
          <Tooltip key={name} label={text}>
            <span role="img" aria-label={text}>
              <Icon size={16} stroke={1.6} aria-hidden />
            </span>
          </Tooltip>
        );
      })}
    </span>
  );
}

/** Icons with text. */
export function CapabilityList({ capabilities }: CapabilitiesProps) {
  const { label } = useTranslation();
  if (capabilities.length === 0) return '—';
  return (
    <span className={styles['capabilities']}>
      {capabilities.map((name) => {
        const Icon = icons[name];
        return (
          <span key={name}>
            <Icon size={14} stroke={1.6} aria-hidden />
            {label(modelCapabilities[name].label)}
          </span>
        );
      })}
    </span>
  );
}
