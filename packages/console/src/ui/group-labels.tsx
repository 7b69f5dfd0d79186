import { defaultGroup, splitCommas } from '@headgate/contract';
import { Badge, Group } from '@mantine/core';

/** Groups as labels, in their order; none means the default one. */
export function GroupLabels({ groups }: { readonly groups: string }) {
  return (
    <Group gap={4}>
      {splitCommas(groups || defaultGroup).map((name) => (
        <Badge key={name} variant="default" miw="max-content" tt="none" fw={400} radius="sm">
          {name}
        </Badge>
      ))}
    </Group>
  );
}
