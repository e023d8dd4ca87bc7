import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** A link that a customer wrote. It opens in a separate window without access to this one. Anything that is not a web address is shown as text. */
export function WebLink({
  url,
  children,
  className,
}: {
  readonly url: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}) {
  if (!isWebAddress(url)) return <span className={className}>{children}</span>;
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      referrerPolicy="no-referrer"
      inherit
      underline="always"
      {...(className === undefined ? {} : { className })}
    >
      {children}
    </Anchor>
  );
}

/** The protocols that may be followed; others, such as javascript:, could run code or open another program. */
function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:';
}
