export { allKinds, type Contents } from './all.ts';
export {
  type Content,
  type GuardedLink,
  type Kind,
  type KindMedia,
  type MediaUse,
  type MessageType,
  messageTypes,
  type SendBody,
} from './define-kind.ts';
export { instanceId, isStorableText, isText, list, text } from './fields.ts';
export { describeIssues, type FieldError } from './issues.ts';
export { deepestNesting, type MalformedPart, malformedParts } from './malformed.ts';
