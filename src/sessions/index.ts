export { Session, type Status } from './session.ts';
export { Sessions } from './sessions.ts';
