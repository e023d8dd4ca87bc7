import { Paper, SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Facts in panels beside each other. */
export function FactPanels({ panels }: { readonly panels: readonly (readonly Fact[])[] }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      {panels.map((facts) => (
        <Paper key={facts[0]?.[0]} withBorder radius="lg" px="md" py="xs">
          <Facts facts={facts} />
        </Paper>
      ))}
    </SimpleGrid>
  );
}
