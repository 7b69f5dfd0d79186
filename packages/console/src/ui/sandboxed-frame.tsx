import { Anchor, Center, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { isFramable } from '../lib/page/framable-address.ts';

interface SandboxedFrameProps {
  readonly address: string;
  readonly title: string;
  readonly className: string | undefined;
}

/** Without `allow-same-origin`, the framed page has an opaque origin, regardless of where it navigates. */
const permissions = 'allow-scripts allow-forms allow-popups allow-modals allow-downloads';

/**
 * An external page inside the console. It can run scripts but cannot access or replace the console. Apps that store
 * data in the browser must be opened in a tab.
 */
export function SandboxedFrame({ address, title, className }: SandboxedFrameProps) {
  const { t } = useTranslation();
  const isBlocked = useBlockedFrame();
  return (
    <>
      {isBlocked || !isFramable(address, window.location.href) ? (
        <BlockedFrame />
      ) : (
        <iframe
          className={className}
          src={address}
          title={title}
          sandbox={permissions}
          allow="clipboard-write"
          referrerPolicy="no-referrer"
        />
      )}
      <Group justify="flex-end" h={28}>
        <Anchor href={address} target="_blank" rel="noopener noreferrer" size="sm">
          {t('Open in a new tab')}
        </Anchor>
      </Group>
    </>
  );
}

function BlockedFrame() {
  const { t } = useTranslation();
  return (
    <Center mih="40vh" p="md">
      <Text c="dimmed" ta="center">
        {t('The embedded page was blocked. Reload this page, or open the address in a new tab.')}
      </Text>
    </Center>
  );
}

/**
 * True once the content security policy has blocked the frame: it navigated to another origin, or its URL was set after
 * this page was loaded.
 */
function useBlockedFrame(): boolean {
  const [isBlocked, setIsBlocked] = useState(false);
  useEffect(() => {
    const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'frame-src') setIsBlocked(true);
    };
    document.addEventListener('securitypolicyviolation', onViolation);
    return () => document.removeEventListener('securitypolicyviolation', onViolation);
  }, []);
  return isBlocked;
}
