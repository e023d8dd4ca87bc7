import { Button, Text } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { FirstSteps } from '../../../src/portal/wire/account.ts';
import { t } from '../language/language.ts';

/** Opens the page of the step, with its dialog. */
export function StepButton({ step, children }: { readonly step: keyof FirstSteps; readonly children: string }) {
  const { pathname } = useLocation();
  switch (step) {
    case 'key':
      return (
        <Button renderRoot={(props) => <Link to="/keys" search={{ add: true }} {...props} />} size="sm" mt="sm">
          {children}
        </Button>
      );
    case 'number':
      return (
        <Button renderRoot={(props) => <Link to="/numbers" search={{ add: true }} {...props} />} size="sm" mt="sm">
          {children}
        </Button>
      );
    case 'message':
      if (pathname === '/send') {
        return (
          <Text size="sm" fw={600} mt="sm">
            {t('Fill in the form below.')}
          </Text>
        );
      }
      return (
        <Button renderRoot={(props) => <Link to="/send" {...props} />} size="sm" mt="sm">
          {children}
        </Button>
      );
  }
}
