import { createContext, useContext } from 'react';

const PhoneScreen = createContext<HTMLElement | null>(null);

/** Tells what is drawn inside which element the phone's screen is. */
export const PhoneScreenProvider = PhoneScreen.Provider;

/** The phone's screen, in which sheets come up; null before it is drawn. */
export function usePhoneScreen(): HTMLElement | null {
  return useContext(PhoneScreen);
}
