import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

/** A web address that a customer wrote: opens in a window of its own that knows nothing of this one. What is no web address stays text. */
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

/** Only these are followed: javascript: and all others run or open something else. */
function isWebAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || protocol === 'http:';
}
