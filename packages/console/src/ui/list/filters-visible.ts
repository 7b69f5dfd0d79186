import { createContext, useContext } from 'react';

/** True if the filters are visible. Only phones can collapse them. */
export const FiltersVisibleContext = createContext(true);

export const useFiltersVisible = (): boolean => useContext(FiltersVisibleContext);
