import { createContext, useContext } from 'react';

/** Whether a list shows its own filters: always, save on a phone, where a button unfolds them. */
export const UnfoldedContext = createContext(true);

export const useIsUnfolded = (): boolean => useContext(UnfoldedContext);
