import { createContext, useContext, useLayoutEffect } from 'react';

const HeldDialog = createContext<(held: boolean) => void>(() => undefined);

/** Gives what is in a dialog the means to keep it open. */
export const HeldDialogProvider = HeldDialog.Provider;

/** Keeps the dialog that this is in open while a request is under way. */
export function useHeldDialog(pending: boolean): void {
  const hold = useContext(HeldDialog);
  useLayoutEffect(() => {
    hold(pending);
    return () => hold(false);
  }, [hold, pending]);
}
