import { Button, Divider, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { type Release, readLatestRelease } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { OwnerText } from '../../../ui/owner-content.tsx';

const withoutV = (version: string) => version.replace(/^v/i, '');

/** Shows the latest version from the release service. */
export function UpdateCheck() {
  const { t } = useTranslation();
  const { version } = useStatus();
  const [release, setRelease] = useState<Release>();
  const check = useMutation({
    mutationFn: readLatestRelease,
    onSuccess: (latest) => {
      const isNew = latest.tag_name !== '' && withoutV(latest.tag_name) !== withoutV(version);
      if (isNew) setRelease(latest);
      else showMessage('success', t('Already latest version'));
    },
  });
  return (
    <>
      <Divider my="lg" />
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {t('Check for updates')}
      </Button>
      <Modal
        opened={release !== undefined}
        onClose={() => setRelease(undefined)}
        title={t('New version: {version}', { version: release?.tag_name ?? '' })}
        size="lg"
      >
        {release && <OwnerText text={release.body} />}
      </Modal>
    </>
  );
}
