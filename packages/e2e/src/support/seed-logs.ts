export { seedLogs } from '@headgate/testkit';
