import { lazy } from 'react';

/** The table of figures, loaded when it is first shown. */
export const FiguresTable = lazy(() => import('./figures-table.tsx').then((file) => ({ default: file.FiguresTable })));
