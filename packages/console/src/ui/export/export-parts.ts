export { ExportMenu } from './export-menu.tsx';
export { ExportProgress } from './export-progress.tsx';
