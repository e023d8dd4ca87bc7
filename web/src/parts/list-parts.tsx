import { type MantineSpacing, Skeleton, Stack } from '@mantine/core';

interface PartsLoadingProps {
  readonly label: string;
  /** Of the parts, from above. */
  readonly heights: readonly number[];
  readonly gap?: MantineSpacing;
  readonly radius?: 'md' | 'lg';
}

/** Stands in for the parts of a page while they are loaded. */
export function PartsLoading({ label, heights, gap = 'md', radius = 'lg' }: PartsLoadingProps) {
  return (
    <Stack gap={gap} role="status" aria-label={label}>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed pattern.
        <Skeleton key={index} h={height} radius={radius} />
      ))}
    </Stack>
  );
}

interface ListLoadingProps extends Pick<PartsLoadingProps, 'label' | 'gap'> {
  readonly rows?: number;
  /** Of each row. */
  readonly height?: number;
}

/** Stands in for a list while it is loaded. */
export function ListLoading({ label, rows = 5, height = 52, gap = 'xs' }: ListLoadingProps) {
  return <PartsLoading label={label} heights={Array.from({ length: rows }, () => height)} gap={gap} radius="md" />;
}
