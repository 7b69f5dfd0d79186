import { type ModelCapability, modelCapabilities } from '@headgate/contract';
import {
  IconArrowsSort,
  IconBrain,
  IconEye,
  IconFileText,
  IconMicrophone,
  IconPhoto,
  IconPlayerTrackNext,
  IconScan,
  IconShieldCheck,
  IconTool,
  IconVectorTriangle,
  IconVolume,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useIsWide } from '../../../lib/page/phone.ts';
import styles from './catalog.module.css';

const icons: Readonly<Record<ModelCapability, TablerIcon>> = {
  vision: IconEye,
  tools: IconTool,
  reasoning: IconBrain,
  streaming: IconPlayerTrackNext,
  audio: IconMicrophone,
  embeddings: IconVectorTriangle,
  rerank: IconArrowsSort,
  ocr: IconScan,
  images: IconPhoto,
  speech: IconVolume,
  transcription: IconFileText,
  moderation: IconShieldCheck,
};

interface CapabilitiesProps {
  readonly capabilities: readonly ModelCapability[];
}

const namedInList = 2;

/** The first names; the others are counted, and named by the tooltip. A dash if nothing is known. */
export function CapabilityNames({ capabilities }: CapabilitiesProps) {
  const { label } = useTranslation();
  const isWide = useIsWide();
  if (capabilities.length === 0) return '—';
  const names = capabilities.map((name) => label(modelCapabilities[name].label));
  const shown = isWide ? names : names.slice(0, namedInList);
  const others = names.length - shown.length;
  return (
    <span className={styles['names']} title={names.join(', ')}>
      {shown.join(', ')}
      {others > 0 && <span> +{others}</span>}
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
