import { type ReactNode, Suspense, useState } from 'react';

/** Holds a dialog that is loaded when it is opened for the first time, and stays from then on, so that it can close with its usual motion. */
export function Late({ wanted, children }: { readonly wanted: boolean; readonly children: ReactNode }) {
  const [ever, setEver] = useState(wanted);
  if (wanted && !ever) setEver(true);
  return ever && <Suspense fallback={null}>{children}</Suspense>;
}
