import { createContext, useContext } from 'react';

/** True if the filters are visible. Only phones can collapse them. */
export const UnfoldedContext = createContext(true);

export const useIsUnfolded = (): boolean => useContext(UnfoldedContext);
