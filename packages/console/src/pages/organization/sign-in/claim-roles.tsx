import { type DirectoryRole, defaultDirectoryRole, directoryRoles, organizationRoleLabels } from '@headgate/contract';
import { ActionIcon, Button, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';

export interface ClaimRole {
  readonly value: string;
  readonly role: DirectoryRole;
}

interface ClaimRolesProps {
  readonly roles: readonly ClaimRole[];
  readonly onChange: (roles: readonly ClaimRole[]) => void;
}

/** Table that maps values of the roles claim to roles. */
export function ClaimRoles({ roles, onChange }: ClaimRolesProps) {
  const { t, label } = useTranslation();
  const change = (index: number, row: Partial<ClaimRole>) =>
    onChange(roles.map((each, at) => (at === index ? { ...each, ...row } : each)));
  return (
    <Input.Wrapper
      labelElement="div"
      label={t('Role mapping')}
      description={t('If several values match, the highest role applies. If none matches, the user has no access.')}
    >
      <Stack gap="xs" my={6} align="flex-start">
        {roles.map(({ value, role }, index) => (
          // The rows have no other identity than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only appended and removed
          <Group key={index} gap="xs" wrap="nowrap" w="100%">
            <TextInput
              style={{ flex: 1 }}
              aria-label={t('Claim value {number}', { number: index + 1 })}
              placeholder="engineering"
              maxLength={200}
              value={value}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={t('Role for claim value {number}', { number: index + 1 })}
              data={directoryRoles.map((each) => ({ value: each, label: label(organizationRoleLabels[each].label) }))}
              value={role}
              onChange={(event) => {
                const chosen = directoryRoles.find((each) => each === event.currentTarget.value);
                if (chosen) change(index, { role: chosen });
              }}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('Remove claim value {number}', { number: index + 1 })}
              onClick={() => onChange(roles.toSpliced(index, 1))}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...roles, { value: '', role: defaultDirectoryRole }])}
        >
          {t('Add claim value')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
