import { ColorSwatch, Group, getThemeColor, Text, useMantineTheme } from '@mantine/core';
import type { Series } from './series.ts';

/** Which colour stands for what, below a chart. */
export function ChartLegend({ series }: { readonly series: readonly Series[] }) {
  const theme = useMantineTheme();
  return (
    <Group gap="xs" mt="xs">
      {series.map(({ key, name, colour }) => (
        <Group key={key} gap={6} wrap="nowrap">
          <ColorSwatch size={10} color={getThemeColor(colour, theme)} withShadow={false} aria-hidden />
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
