export { type Candidate, chooseChannel } from './choose-channel.ts';
