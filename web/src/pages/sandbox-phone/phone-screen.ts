import { createContext, useContext } from 'react';

const PhoneScreen = createContext<HTMLElement | null>(null);

/** Gives components inside the phone the element of its screen. */
export const PhoneScreenProvider = PhoneScreen.Provider;

/** The phone's screen, in which sheets open; null before it is mounted. */
export function usePhoneScreen(): HTMLElement | null {
  return useContext(PhoneScreen);
}
